//! clean
//! found exception broken
// A future that is completed by a thread, or by its time-out. Broken: the time-out is not expected.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

public class OrTimeout {
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        Thread completes = new Thread(() -> future.complete(1));
        completes.start();
        try {
            if (future.orTimeout(1, TimeUnit.SECONDS).join() != 1) throw new AssertionError();
        } catch (CompletionException late) {
            if (args.length > 0) throw late;
        }
        completes.join();
    }
}
