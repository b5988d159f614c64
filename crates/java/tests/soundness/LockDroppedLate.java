/** The first accesses are locked; the last one of a thread is not. */
public class LockDroppedLate {
    static int n;

    static synchronized void add() {
        n++;
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            add();
            n++;
        });
        t.start();
        add();
        t.join();
        assert n == 3;
    }
}
