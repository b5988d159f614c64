//! clean
//! found deadlock broken
// A task waits for another task of the same pool of one thread.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class PoolWaitsForItself {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        boolean broken = args.length > 0;
        Future<Integer> outer = pool.submit(() -> {
            Future<Integer> inner = pool.submit(() -> 1);
            return broken ? inner.get() : 1;
        });
        outer.get();
        pool.shutdown();
    }
}
