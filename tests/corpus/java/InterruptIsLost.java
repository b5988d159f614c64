//! clean
//! found deadlock broken
// A worker swallows its interrupt and waits again.
public class InterruptIsLost {
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        boolean broken = args.length > 0;
        Thread worker = new Thread(() -> {
            synchronized (lock) {
                for (int i = 0; i < 2; i++) {
                    try { lock.wait(); }
                    catch (InterruptedException e) { if (!broken) return; }
                }
            }
        });
        worker.start();
        worker.interrupt();
        worker.join();
    }
}
