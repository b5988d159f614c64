/** Between what a thread does under a monitor and its wait, another one can ask for its state. */
public class AskedBeforeWait {
    static volatile boolean inside;
    static int seen;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                inside = true;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        t.setDaemon(true);
        t.start();
        if (inside) {
            seen = 1 + t.getState().ordinal();
        }
    }
}
