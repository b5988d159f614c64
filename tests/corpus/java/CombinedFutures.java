//! clean
//! found assertion broken
// A future of two others waits for both. Broken: for any of them.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

public class CombinedFutures {
    public static void main(String[] args) {
        AtomicInteger done = new AtomicInteger();
        CompletableFuture<Void> a = new CompletableFuture<>(), b = new CompletableFuture<>();
        Thread one = new Thread(() -> {
            done.incrementAndGet();
            a.complete(null);
        });
        Thread two = new Thread(() -> {
            done.incrementAndGet();
            b.complete(null);
        });
        one.start();
        two.start();
        if (args.length > 0) CompletableFuture.anyOf(a, b).join();
        else CompletableFuture.allOf(a, b).join();
        assert done.get() == 2;
    }
}
