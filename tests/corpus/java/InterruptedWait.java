//! clean
//! found exception broken
// An interrupted wait ends the thread; broken: the exception is passed on unchecked.
public class InterruptedWait {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Object lock = new Object();
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try { lock.wait(); }
                catch (InterruptedException e) { if (broken) throw new IllegalStateException(e); }
            }
        });
        waiter.start();
        waiter.interrupt();
        waiter.join();
    }
}
