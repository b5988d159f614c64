//! clean
//! found assertion broken
// A scheduled task that cannot be cancelled any more has run; one that is running can still be cancelled.
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class Timers {
    static volatile boolean ran;

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> task = timer.schedule(() -> { ran = true; }, 1, TimeUnit.SECONDS);
        boolean cancelled = task.cancel(false);
        timer.shutdown();
        timer.awaitTermination(10, TimeUnit.SECONDS);
        if (args.length > 0) assert cancelled;
        else assert cancelled || ran;
    }
}
