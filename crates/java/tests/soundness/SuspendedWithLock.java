/** A thread that is suspended keeps the monitors that it has. */
@SuppressWarnings("deprecation")
public class SuspendedWithLock {
    static int x;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                x = 1;
            }
        });
        t.start();
        t.suspend();
        synchronized (lock) {
            x += 2;
        }
        t.resume();
        t.join();
    }
}
