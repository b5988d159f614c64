//! clean
//! found deadlock broken
// A thread waits on an inner object while it keeps the outer monitor that its notifier needs.
public class NestedMonitor {
    static final Object outer = new Object(), inner = new Object();
    static boolean done;

    static void awaitDone() throws InterruptedException {
        synchronized (inner) {
            while (!done) inner.wait();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread notifier = new Thread(() -> {
            synchronized (outer) {
                synchronized (inner) {
                    done = true;
                    inner.notify();
                }
            }
        });
        notifier.start();
        if (args.length > 0) {
            synchronized (outer) {
                awaitDone();
            }
        } else {
            awaitDone();
        }
        notifier.join();
    }
}
