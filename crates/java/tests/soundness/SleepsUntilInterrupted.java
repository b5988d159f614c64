/** Whoever sleeps for a minute is there to be interrupted. */
public class SleepsUntilInterrupted {
    static boolean interrupted;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        });
        t.start();
        t.interrupt();
        t.join();
        assert interrupted;
    }
}
