/** Takes the end of a timed wait for the notification. */
public class TimedWaitTrusts {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                ready = true;
                monitor.notify();
            }
        });
        t.start();
        boolean came;
        synchronized (monitor) {
            if (!ready) {
                monitor.wait(10);
            }
            came = ready;
        }
        t.join();
        assert came;
    }
}
