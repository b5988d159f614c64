/** Who waits and is stopped has to get its monitor back before it dies. */
@SuppressWarnings("deprecation")
public class StoppedWhileItWaits {
    static final Object LOCK = new Object();
    static boolean waits;
    static boolean held;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (LOCK) {
                waits = true;
                try {
                    LOCK.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    held = Thread.holdsLock(LOCK);
                }
            }
        });
        t.start();
        synchronized (LOCK) {
            if (waits) {
                t.stop();
                assert t.isAlive();
            } else {
                t.stop();
            }
        }
        t.join();
        assert held == waits;
    }
}
