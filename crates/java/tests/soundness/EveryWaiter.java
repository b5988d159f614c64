/** Two threads wait for different things on one monitor, and all are woken. */
public class EveryWaiter {
    static int turn;

    static void await(Object monitor, int wanted) {
        synchronized (monitor) {
            try {
                while (turn < wanted) {
                    monitor.wait();
                }
                turn++;
                monitor.notifyAll();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread one = new Thread(() -> await(monitor, 1));
        Thread two = new Thread(() -> await(monitor, 2));
        one.start();
        two.start();
        synchronized (monitor) {
            turn = 1;
            monitor.notifyAll();
        }
    }
}
