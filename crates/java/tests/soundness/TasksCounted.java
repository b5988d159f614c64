import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** How many tasks a pool has done is a part of the state for those who ask. */
public class TasksCounted {
    static long seen;

    public static void main(String[] args) {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
        pool.execute(() -> {
        });
        seen = pool.getCompletedTaskCount();
        pool.shutdown();
    }
}
