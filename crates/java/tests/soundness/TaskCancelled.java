import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Behind the result of the first task of a pool with one thread, the second one may not have been begun. */
public class TaskCancelled {
    static boolean cancelled, ran;

    public static void main(String[] args) throws Exception {
        var pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        Future<?> first = pool.submit(() -> {});
        Future<?> second = pool.submit(() -> {
            ran = true;
        });
        first.get();
        cancelled = second.cancel(false);
        pool.shutdown();
    }
}
