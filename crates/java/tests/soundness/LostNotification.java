/** The notification may come before the thread waits for it. */
public class LostNotification {
    static int n;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                n++;
                monitor.notify();
            }
        });
        t.start();
        synchronized (monitor) {
            monitor.wait();
            n++;
        }
        t.join();
    }
}
