/** An exception that leaves a synchronized block gives the monitor back. */
public class ExceptionUnlocks {
    static int n;

    static void fail(Object monitor) {
        synchronized (monitor) {
            n++;
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                n++;
            }
        });
        t.start();
        try {
            fail(monitor);
        } catch (IllegalStateException expected) {
            synchronized (monitor) {
                n++;
            }
        }
        t.join();
        assert n == 3;
    }
}
