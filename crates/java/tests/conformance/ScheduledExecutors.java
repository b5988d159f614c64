import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Scheduled executors: delays in order, fixed rates, fixed delays, cancellation, policies at shutdown. */
public class ScheduledExecutors {
    public static void main(String[] args) throws Exception {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
        StringBuffer order = new StringBuffer();
        CountDownLatch go = new CountDownLatch(1);
        // All are scheduled while the only worker is held back, so that only the due times decide.
        pool.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        ScheduledFuture<String> c = pool.schedule(() -> order.append("c").toString(), 300_000, TimeUnit.MICROSECONDS);
        pool.schedule(() -> order.append("a"), -1, TimeUnit.MILLISECONDS);
        pool.schedule(() -> order.append("b"), 0, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> never = pool.schedule(() -> order.append("never"), 1, TimeUnit.DAYS);
        go.countDown();
        System.out.println(c.get().endsWith("c") + " " + order.indexOf("a") + order.indexOf("b") + " " + (never.getDelay(TimeUnit.HOURS) == 23));
        System.out.println(never.cancel(false) + " " + never.isCancelled() + " " + pool.getQueue().size());
        pool.purge();
        System.out.println(pool.getQueue().size() + " " + c.compareTo(c));

        AtomicInteger ticks = new AtomicInteger();
        CountDownLatch five = new CountDownLatch(5);
        ScheduledFuture<?> rate = pool.scheduleAtFixedRate(() -> {
            ticks.incrementAndGet();
            five.countDown();
        }, 0, 2, TimeUnit.MILLISECONDS);
        five.await();
        rate.cancel(false);
        try {
            rate.get();
        } catch (CancellationException e) {
            System.out.println("ticked " + (ticks.get() >= 5));
        }
        AtomicInteger runs = new AtomicInteger();
        ScheduledFuture<?> fails = pool.scheduleWithFixedDelay(() -> {
            if (runs.incrementAndGet() == 3) throw new IllegalStateException("third run");
        }, 1, 1, TimeUnit.MILLISECONDS);
        try {
            fails.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage() + " after " + runs);
        }
        long start = System.nanoTime();
        System.out.println(pool.schedule(() -> "later", 30, TimeUnit.MILLISECONDS).get() + " " + (System.nanoTime() - start >= 30_000_000));
        Future<String> pending = pool.schedule(() -> "still run", 5, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> periodic = pool.scheduleAtFixedRate(() -> { }, 1, 1, TimeUnit.DAYS);
        pool.shutdown();
        System.out.println(pending.get() + " " + pool.awaitTermination(1, TimeUnit.MINUTES) + " " + periodic.isCancelled());
        try {
            pool.schedule(() -> 1, 1, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ScheduledThreadPoolExecutor strict = new ScheduledThreadPoolExecutor(2);
        strict.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        strict.setRemoveOnCancelPolicy(true);
        Future<?> dropped = strict.schedule(() -> System.out.println("not reached"), 1, TimeUnit.HOURS);
        strict.schedule(() -> { }, 1, TimeUnit.HOURS).cancel(true);
        System.out.println(strict.getQueue().size());
        strict.shutdown();
        System.out.println(dropped.isCancelled() + " " + strict.awaitTermination(1, TimeUnit.MINUTES));
        ScheduledExecutorService single = Executors.newSingleThreadScheduledExecutor();
        try {
            single.scheduleAtFixedRate(() -> { }, 0, 0, TimeUnit.SECONDS);
        } catch (IllegalArgumentException e) {
            System.out.println("no period");
        }
        single.schedule(() -> System.out.println("unreached"), 1, TimeUnit.HOURS);
        System.out.println(single.shutdownNow().size());
    }
}
