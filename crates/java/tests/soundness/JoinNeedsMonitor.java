/** To join a thread, and to end, takes the monitor of the thread, which another one holds. */
public class JoinNeedsMonitor {
    static boolean joined;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {});
        Thread holds = new Thread(() -> {
            synchronized (t) {
                synchronized (lock) {
                    while (!joined) {
                        try {
                            lock.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
            }
        });
        t.start();
        holds.start();
        t.join();
        synchronized (lock) {
            joined = true;
            lock.notify();
        }
    }
}
