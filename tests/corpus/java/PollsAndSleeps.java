//! found exception
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found exception {--timeouts last} broken
//! found exception {--timeouts patient} broken
// Short sleeps in a polling loop do not hold up the worker for as long as the limit.
public class PollsAndSleeps {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread worker = new Thread(() -> { if (!broken) done = true; });
        worker.start();
        long start = System.currentTimeMillis();
        while (!done) {
            if (System.currentTimeMillis() - start > 2_000) throw new IllegalStateException("too late");
            Thread.sleep(100);
        }
    }
}
