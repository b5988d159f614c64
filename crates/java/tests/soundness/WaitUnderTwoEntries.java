/** Waiting gives up all entries of the monitor, and takes as many back. */
public class WaitUnderTwoEntries {
    static boolean ready;
    static int n;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                synchronized (monitor) {
                    while (!ready) {
                        try {
                            monitor.wait();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
                n++;
            }
        });
        t.start();
        synchronized (monitor) {
            ready = true;
            monitor.notify();
        }
        synchronized (monitor) {
            n++;
        }
        t.join();
        assert n == 2;
    }
}
