/** Between the notification and the end of its block the notifier writes; behind the block it does too. */
public class NotifierGoesOn {
    static int n;
    static int seen;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                n = 1;
                lock.notify();
                n = 2;
            }
            n = 3;
        });
        t.start();
        synchronized (lock) {
            while (n == 0) {
                lock.wait();
            }
            seen = n;
        }
        t.join();
        assert seen >= 2;
    }
}
