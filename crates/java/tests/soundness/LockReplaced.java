/** The field that holds the lock gets another one. */
public class LockReplaced {
    static Object lock = new Object();
    static int n;

    static void add() {
        synchronized (lock) {
            n++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(LockReplaced::add);
        t.start();
        lock = new Object();
        add();
        t.join();
        assert n == 2;
    }
}
