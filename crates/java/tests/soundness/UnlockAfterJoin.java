/** Whoever wants the monitor may come before what is done once it has been given back. */
public class UnlockAfterJoin {
    static volatile boolean held;
    static int n;
    static int seen;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread other = new Thread(() -> {
            while (!held) {
                Thread.onSpinWait();
            }
        });
        Thread t = new Thread(() -> {
            if (held) {
                synchronized (lock) {
                    seen = 10 + n;
                }
            }
        });
        other.start();
        t.start();
        synchronized (lock) {
            held = true;
            other.join();
        }
        n = 2;
        t.join();
    }
}
