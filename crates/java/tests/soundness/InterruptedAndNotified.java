/** Two wait. One is interrupted, and one notification comes: it is not lost, but it may have come before. */
public class InterruptedAndNotified {
    static int ended;

    static void await(Object monitor, int digit) {
        synchronized (monitor) {
            try {
                monitor.wait();
                ended += digit;
            } catch (InterruptedException e) {
                ended += 2 * digit;
            }
        }
    }

    public static void main(String[] args) {
        Object monitor = new Object();
        Thread one = new Thread(() -> await(monitor, 1));
        Thread two = new Thread(() -> await(monitor, 10));
        one.start();
        two.start();
        one.interrupt();
        synchronized (monitor) {
            monitor.notify();
        }
    }
}
