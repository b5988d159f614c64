/** The monitor is notified without being held, in one case. */
public class NotifyUnowned {
    static boolean skip;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> skip = true);
        t.start();
        if (skip) {
            monitor.notify();
        } else {
            synchronized (monitor) {
                monitor.notify();
            }
        }
        t.join();
    }
}
