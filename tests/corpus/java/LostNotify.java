//! clean
//! found deadlock broken
// wait without looking at the condition misses a notify that came before.
public class LostNotify {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        boolean broken = args.length > 0;
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try {
                    if (broken) lock.wait();
                    else while (!ready) lock.wait();
                } catch (InterruptedException e) { throw new AssertionError(e); }
            }
        });
        waiter.start();
        synchronized (lock) { ready = true; lock.notify(); }
        waiter.join();
    }
}
