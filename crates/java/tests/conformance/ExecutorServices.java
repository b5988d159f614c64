import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors: results, exceptions, invokeAll and invokeAny, rejection, cancellation, shutdown, completion order. */
public class ExecutorServices {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int n = i;
            tasks.add(() -> n * n);
        }
        int sum = 0;
        for (Future<Integer> f : pool.invokeAll(tasks)) sum += f.get();
        System.out.println(sum);
        Future<String> fails = pool.submit(() -> {
            throw new java.io.IOException("in a task");
        });
        try {
            fails.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " | " + e.getCause() + " " + fails.isDone() + fails.isCancelled());
        }
        System.out.println(pool.submit(() -> { }, "result").get() + " " + pool.submit(() -> { }).get());
        System.out.println(pool.<String>invokeAny(List.of(() -> {
            throw new IllegalStateException();
        }, () -> "any")));
        try {
            pool.<String>invokeAny(List.of(() -> {
                throw new IllegalStateException("all fail");
            }));
        } catch (ExecutionException e) {
            System.out.println(e.getCause());
        }
        CountDownLatch gate = new CountDownLatch(1);
        Future<String> slow = pool.submit(() -> {
            gate.await();
            return "slow";
        });
        try {
            slow.get(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timed out " + slow.isDone());
        }
        gate.countDown();
        System.out.println(slow.get());
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.MINUTES) + " " + pool.isShutdown() + pool.isTerminated());
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }

        CountDownLatch hold = new CountDownLatch(1), running = new CountDownLatch(1);
        ThreadPoolExecutor bounded = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), named("worker"));
        AtomicInteger ran = new AtomicInteger();
        String[] held = new String[1];
        bounded.execute(() -> {
            running.countDown();
            try {
                hold.await();
            } catch (InterruptedException e) {
                held[0] = "interrupted by shutdownNow in " + Thread.currentThread().getName();
            }
        });
        running.await();
        Future<?> queued = bounded.submit(ran::incrementAndGet);
        try {
            bounded.execute(ran::incrementAndGet);
        } catch (RejectedExecutionException e) {
            System.out.println("full: " + bounded.getQueue().size() + " " + bounded.getPoolSize() + " " + bounded.getActiveCount());
        }
        bounded.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        bounded.execute(() -> System.out.println("run by " + Thread.currentThread().getName()));
        System.out.println(queued.cancel(false) + " " + queued.isCancelled());
        try {
            queued.get();
        } catch (CancellationException e) {
            System.out.println("cancelled, ran " + ran);
        }
        System.out.println("never started: " + bounded.shutdownNow().size());
        System.out.println(bounded.awaitTermination(1, TimeUnit.MINUTES) + " " + bounded.getCompletedTaskCount() + " " + bounded.getLargestPoolSize() + " " + held[0]);

        ExecutorService cached = Executors.newCachedThreadPool(named("cached"));
        CompletionService<String> completion = new ExecutorCompletionService<>(cached);
        CountDownLatch[] order = {new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)};
        for (int i = 0; i < 3; i++) {
            int me = i;
            completion.submit(() -> {
                order[me].await();
                return "task" + me;
            });
        }
        for (int i = 2; i >= 0; i--) {
            order[i].countDown();
            System.out.println(completion.take().get());
        }
        cached.shutdown();
        FutureTask<Integer> direct = new FutureTask<>(() -> 42);
        direct.run();
        System.out.println(direct.get() + " " + completion.poll() + " " + cached.awaitTermination(1, TimeUnit.MINUTES));
    }

    static ThreadFactory named(String name) {
        return r -> new Thread(r, name);
    }
}
