/** A thread that holds the monitor of a thread and joins it is interrupted: it has the monitor again when it throws. */
public class JoinInterruptedHolding {
    static int outcome;
    static boolean done;

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread worker = new Thread(() -> {
            synchronized (Thread.currentThread()) {
                main.interrupt();
                done = true;
            }
        });
        worker.start();
        synchronized (worker) {
            try {
                worker.join();
                outcome = Thread.interrupted() ? 1 : 2;
            } catch (InterruptedException e) {
                outcome = 3;
                assert !main.isInterrupted();
            }
            assert Thread.holdsLock(worker) && done;
        }
        assert outcome != 2;
    }
}
