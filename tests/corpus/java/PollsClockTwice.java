//! found exception
//! found exception {--search dpor}
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found exception {--timeouts last} broken
// A loop that reads the clock at two places: time passes for it as for a loop with one.
public class PollsClockTwice {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread worker = new Thread(() -> { if (!broken) done = true; });
        worker.start();
        long start = System.nanoTime();
        while (!done) {
            long wall = System.currentTimeMillis();
            long now = System.nanoTime();
            if (now - start > 1_000_000_000L) throw new IllegalStateException("too late at " + wall);
        }
    }
}
