//! found exception
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found exception {--timeouts last} broken
//! found exception {--timeouts patient} broken
// Two threads poll the clock for each other's flag. Time passes when both only poll.
public class TwoPollers {
    static volatile boolean first, second;

    static void await(boolean waitsForFirst) {
        long start = System.nanoTime();
        while (!(waitsForFirst ? first : second)) {
            if (System.nanoTime() - start > 5_000_000_000L) throw new IllegalStateException("too late");
            Thread.onSpinWait();
        }
    }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread other = new Thread(() -> { if (!broken) first = true; await(false); });
        other.start();
        if (!broken) second = true;
        await(true);
    }
}
