/** Who has joined all others may do without the lock. */
public class AloneAfterJoin {
    static int count;

    static synchronized void add() {
        count++;
    }

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(AloneAfterJoin::add);
        Thread second = new Thread(AloneAfterJoin::add);
        first.start();
        second.start();
        first.join();
        second.join();
        count++;
        assert count == 3;
    }
}
