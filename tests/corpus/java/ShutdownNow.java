//! clean
//! found deadlock|hang broken
// shutdownNow interrupts what runs. Broken: the task swallows the interrupt and waits again.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class ShutdownNow {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        CountDownLatch never = new CountDownLatch(1);
        pool.execute(() -> {
            while (true) {
                try {
                    never.await();
                    return;
                } catch (InterruptedException e) {
                    if (args.length == 0) return;
                }
            }
        });
        pool.shutdownNow();
        pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
}
