//! clean
//! found assertion broken
// A pooled thread keeps its thread-local from the task before.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class ThreadLocalLeak {
    static final ThreadLocal<Integer> user = new ThreadLocal<>();

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> { user.set(1); if (!broken) user.remove(); }).get();
        boolean clean = pool.submit(() -> user.get() == null).get();
        pool.shutdown();
        assert clean;
    }
}
