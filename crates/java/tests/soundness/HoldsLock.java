/** Asks who holds what: it is only ever its own affair. */
public class HoldsLock {
    static int held;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                held += Thread.holdsLock(lock) ? 1 : 0;
            }
        });
        t.start();
        assert !Thread.holdsLock(lock);
        t.join();
        assert held == 1;
    }
}
