/** Between what a thread does under a monitor and its notification, the one who waits still waits. */
public class AskedBeforeNotify {
    static volatile boolean waits, soon;
    static int seen;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                waits = true;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        t.start();
        Thread asks = new Thread(() -> {
            if (soon) {
                seen = 1 + t.getState().ordinal();
            }
        });
        asks.start();
        boolean done = false;
        while (!done) {
            synchronized (lock) {
                if (waits) {
                    soon = true;
                    lock.notify();
                    done = true;
                }
            }
        }
    }
}
