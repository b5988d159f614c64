/** Two wait, always in the same order, and either can be notified first. */
public class NotifyChooses {
    static int order;

    static void await(Object monitor, Thread next, int digit) {
        synchronized (monitor) {
            next.start();
            try {
                monitor.wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            order = 10 * order + digit;
            monitor.notify();
        }
    }

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread third = new Thread(() -> {
            synchronized (monitor) {
                monitor.notify();
            }
        });
        Thread second = new Thread(() -> await(monitor, third, 2));
        Thread first = new Thread(() -> await(monitor, second, 1));
        first.start();
    }
}
