/** A thread with a pending interrupt joins: it throws if the other thread is alive, and returns if that one has ended. */
public class JoinInterruptedBefore {
    static int outcome;
    static boolean flag;

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            synchronized (JoinInterruptedBefore.class) {
                flag = true;
            }
        });
        worker.start();
        Thread.currentThread().interrupt();
        try {
            worker.join();
            outcome = Thread.currentThread().isInterrupted() ? 1 : 2;
        } catch (InterruptedException e) {
            outcome = Thread.currentThread().isInterrupted() ? 3 : 4;
        }
        assert outcome == 1 || outcome == 4;
    }
}
