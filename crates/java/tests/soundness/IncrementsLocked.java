/** Two threads add one, both under the same monitor. */
public class IncrementsLocked {
    static int n;

    static synchronized void add() {
        n++;
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(IncrementsLocked::add);
        t.start();
        add();
        t.join();
        assert n == 2;
    }
}
