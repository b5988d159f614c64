//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found exception {--timeouts last} broken
//! found exception {--timeouts patient} broken
// A loop waits for the rest of its time in short waits. Together they are a long wait.
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class RemainingTime {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        CountDownLatch latch = new CountDownLatch(1);
        Thread worker = new Thread(() -> { if (!broken) latch.countDown(); });
        worker.start();
        Instant end = Instant.now().plusSeconds(2);
        while (!latch.await(200, TimeUnit.MILLISECONDS)) {
            if (Instant.now().isAfter(end)) throw new IllegalStateException("too late");
        }
    }
}
