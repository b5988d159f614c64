//! found exception
//! found exception {--search dpor}
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found exception {--timeouts last} broken
//! found exception {--timeouts patient} broken
// A loop that polls the clock fails only if the work can really take too long.
public class PollsClock {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread worker = new Thread(() -> { if (!broken) done = true; });
        worker.start();
        long start = System.nanoTime();
        while (!done) {
            if (System.nanoTime() - start > 1_000_000_000L) throw new IllegalStateException("too late");
            Thread.yield();
        }
    }
}
