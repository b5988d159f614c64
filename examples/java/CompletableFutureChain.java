import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Two computations on threads of their own, combined by completable futures. Correct: it must be explored to the end
 * without a false alarm. No parameters.
 *
 * sojourner check examples/java/CompletableFutureChain.java: clean
 */
public class CompletableFutureChain {
    public static void main(String[] args) {
        Executor executor = task -> new Thread(task).start();
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> 2, executor);
        CompletableFuture<Integer> six = CompletableFuture.supplyAsync(() -> 5, executor).thenApply(x -> x + 1);
        int product = two.thenCombine(six, (x, y) -> x * y).join();
        assert product == 12 : "the product is " + product;
    }
}
