import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two tasks of a single thread run one after the other. */
public class ExecutorRuns {
    static int n;

    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.execute(() -> n++);
        Future<?> last = executor.submit(() -> n++);
        last.get();
        assert n == 2;
        executor.shutdown();
    }
}
