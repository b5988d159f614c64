import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks given to an executor; `Future.get` fetches their results. Correct: it must be explored to the end
 * without a false alarm.
 * Parameters: threads of the executor, tasks.
 *
 * sojourner check examples/java/ExecutorFuture.java -- 1 2: clean
 */
public class ExecutorFuture {
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int tasks = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        Future<?>[] results = new Future<?>[tasks];
        for (int i = 0; i < tasks; i++) {
            int square = i * i;
            results[i] = executor.submit(() -> square);
        }
        for (int i = 0; i < tasks; i++) {
            assert results[i].get().equals(i * i) : "a task has another one's result";
        }
        executor.shutdown();
    }
}
