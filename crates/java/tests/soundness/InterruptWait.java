/** A thread that waits for ever is interrupted, before it waits or while it does. */
public class InterruptWait {
    static String ended;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait();
                    ended = "notified";
                } catch (InterruptedException e) {
                    ended = "interrupted " + Thread.currentThread().isInterrupted();
                }
            }
        });
        t.start();
        t.interrupt();
        t.join();
        assert ended.equals("interrupted false");
    }
}
