/** A thread that joins another waits on it, and may get the notification that was meant for a third one. */
public class JoinTakesNotification {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Thread target = new Thread(() -> {
            synchronized (Thread.currentThread()) {
                ready = true;
                Thread.currentThread().notify();
                while (ready) {
                    try {
                        Thread.currentThread().wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        Thread waiter = new Thread(() -> {
            synchronized (target) {
                while (!ready) {
                    try {
                        target.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                ready = false;
                target.notifyAll();
            }
        });
        waiter.start();
        target.start();
        target.join();
        waiter.join();
    }
}
