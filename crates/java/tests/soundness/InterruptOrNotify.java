/** One waiter, both interrupted and notified: it ends either way, and the flag stays up if the notification won. */
public class InterruptOrNotify {
    static int ended;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        boolean[] ready = new boolean[1];
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                try {
                    while (!ready[0]) {
                        monitor.wait();
                    }
                    ended = Thread.interrupted() ? 1 : 2;
                } catch (InterruptedException e) {
                    ended = ready[0] ? 3 : 4;
                }
            }
        });
        t.start();
        t.interrupt();
        synchronized (monitor) {
            ready[0] = true;
            monitor.notify();
        }
        t.join();
        assert ended != 0;
    }
}
