//! clean
//! found exception broken
// A pool is shut down by one thread. Broken: another one still submits tasks.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class RejectedTask {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Thread stopper = new Thread(pool::shutdown);
        if (broken) {
            stopper.start();
            pool.execute(() -> {});
        } else {
            pool.execute(() -> {});
            stopper.start();
        }
        stopper.join();
    }
}
