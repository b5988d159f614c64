//! clean
//! found deadlock|hang broken
// A future is completed by another thread; broken: the thread that should complete it waits for it.
import java.util.concurrent.CompletableFuture;
public class FutureChain {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        CompletableFuture<Integer> future = new CompletableFuture<>();
        CompletableFuture<Integer> next = future.thenApply(value -> value + 1);
        Thread completer = new Thread(() -> {
            if (broken) next.join();
            future.complete(1);
        });
        completer.start();
        assert next.get() == 2;
        completer.join();
    }
}
