import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A task is done again and again until the pool is shut down. */
public class TaskRepeats {
    static int n;

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        CountDownLatch latch = new CountDownLatch(1);
        pool.scheduleAtFixedRate(latch::countDown, 10, 10, TimeUnit.MILLISECONDS);
        latch.await();
        n = 1;
        pool.shutdown();
    }
}
