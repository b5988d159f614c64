/** A daemon that waits for ever keeps nobody. */
public class DaemonWaits {
    static int n;

    public static void main(String[] args) {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                try {
                    n = 1;
                    monitor.wait();
                } catch (InterruptedException e) {
                    n = 2;
                }
            }
        });
        t.setDaemon(true);
        t.start();
    }
}
