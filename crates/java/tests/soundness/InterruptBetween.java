/** The interrupt depends on what the notifier has written, and comes before its notification. */
public class InterruptBetween {
    static volatile boolean flag;
    static int ended;
    static boolean saw;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        boolean[] ready = new boolean[1];
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                try {
                    while (!ready[0]) {
                        monitor.wait();
                    }
                    ended = 1;
                } catch (InterruptedException e) {
                    ended = 2;
                }
            }
        });
        Thread u = new Thread(() -> {
            saw = flag;
            if (saw) {
                t.interrupt();
            }
        });
        t.start();
        u.start();
        synchronized (monitor) {
            ready[0] = true;
            flag = true;
            monitor.notify();
        }
        u.join();
        t.join();
        assert ended == 1 || saw;
    }
}
