/** Waits for a flag until some time has passed: it may come or not. */
public class TimedWait {
    static boolean ready;
    static boolean came;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                ready = true;
                monitor.notify();
            }
        });
        t.start();
        synchronized (monitor) {
            if (!ready) {
                monitor.wait(10);
            }
            came = ready;
        }
        t.join();
    }
}
