//! clean
//! found assertion broken
// A task that is repeated has run at least once behind its first latch. Broken: exactly once.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class ScheduledTwice {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        Runnable task = () -> {
            if (runs.get() < 2) runs.incrementAndGet();
            ran.countDown();
        };
        var handle = pool.scheduleWithFixedDelay(task, 0, 10, TimeUnit.MILLISECONDS);
        ran.await();
        handle.cancel(false);
        pool.shutdown();
        assert args.length > 0 ? runs.get() == 1 : runs.get() >= 1;
    }
}
