//! clean
//! found exception broken
// A task may be cancelled before it runs. Broken: the result is taken as if that could not be.
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;

public class CancelledFuture {
    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 5);
        Thread cancels = new Thread(() -> task.cancel(false)), runs = new Thread(task);
        cancels.start();
        runs.start();
        try {
            if (task.get() != 5) throw new AssertionError();
        } catch (CancellationException cancelled) {
            if (args.length > 0) throw cancelled;
        }
        cancels.join();
        runs.join();
    }
}
