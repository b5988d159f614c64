//! clean
//! found assertion broken
// A scheduled task runs before main goes on, because main waits for it; broken: main does not.
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
public class DelayedTask {
    static volatile boolean done;
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        ScheduledFuture<?> task = timer.schedule(() -> { done = true; }, 10, TimeUnit.MILLISECONDS);
        if (!broken) task.get();
        assert done;
        timer.shutdownNow();
    }
}
