/** One waits with a limit and one without; the only notification may go to either. */
public class TimedAndUntimed {
    static int timed;
    static int untimed;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait(5);
                    timed = 1;
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        Thread u = new Thread(() -> {
            synchronized (monitor) {
                monitor.notify();
            }
        });
        t.start();
        u.start();
        synchronized (monitor) {
            monitor.wait();
            untimed = 1;
        }
    }
}
