/** Waits while it holds an outer monitor that the notifier needs. */
public class WaitHoldsOuter {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Object outer = new Object();
        Object inner = new Object();
        Thread t = new Thread(() -> {
            synchronized (outer) {
                synchronized (inner) {
                    ready = true;
                    inner.notify();
                }
            }
        });
        t.start();
        synchronized (outer) {
            synchronized (inner) {
                while (!ready) {
                    inner.wait();
                }
            }
        }
    }
}
