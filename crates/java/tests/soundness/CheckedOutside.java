/** The condition is checked before the monitor is taken. */
public class CheckedOutside {
    static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                ready = true;
                monitor.notify();
            }
        });
        t.start();
        if (!ready) {
            synchronized (monitor) {
                monitor.wait();
            }
        }
        t.join();
    }
}
