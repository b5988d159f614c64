import java.util.List;
import java.util.concurrent.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CompletableFuture: chains, combinations, exceptions, time-outs, anyOf and allOf, explicit executors, copies. */
public class CompletableFutures {
    static String outcome(CompletableFuture<?> f) {
        try {
            return String.valueOf(f.join());
        } catch (CompletionException e) {
            return "failed by " + e.getCause();
        } catch (CancellationException e) {
            return "cancelled";
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletableFuture<Integer> base = CompletableFuture.supplyAsync(() -> 20, pool);
        System.out.println(outcome(base.thenApply(n -> n + 1).thenCombine(base.thenApplyAsync(n -> n * 2, pool), Integer::sum)));
        System.out.println(outcome(base.thenCompose(n -> CompletableFuture.supplyAsync(() -> n * 10, pool)).thenApply(Object::toString).thenApply(String::length)));
        StringBuffer log = new StringBuffer();
        base.thenAccept(n -> log.append("accept ").append(n)).thenRun(() -> log.append(" run")).join();
        System.out.println(log);
        CompletableFuture<Integer> fails = CompletableFuture.supplyAsync(() -> {
            throw new IllegalStateException("boom");
        }, pool);
        System.out.println(outcome(fails) + " " + outcome(fails.thenApply(n -> n + 1)) + " " + outcome(fails.exceptionally(t -> -1)));
        System.out.println(outcome(fails.handle((n, t) -> t == null ? "fine" : "handled " + t.getClass().getSimpleName() + " " + t.getMessage())));
        System.out.println(outcome(fails.whenComplete((n, t) -> log.append(" seen")).exceptionally(t -> t.getCause() == null ? 0 : 1)) + log);
        System.out.println(outcome(fails.exceptionallyCompose(t -> CompletableFuture.completedFuture(77))));
        try {
            fails.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause());
        }
        List<CompletableFuture<Integer>> many = IntStream.range(0, 10).mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i, pool)).collect(Collectors.toList());
        CompletableFuture<Void> all = CompletableFuture.allOf(many.toArray(new CompletableFuture[0]));
        System.out.println(all.thenApply(v -> many.stream().mapToInt(CompletableFuture::join).sum()).get());
        CompletableFuture<String> never = new CompletableFuture<>();
        System.out.println(CompletableFuture.anyOf(never, CompletableFuture.completedFuture("first")).join());
        System.out.println(outcome(never.applyToEither(CompletableFuture.completedFuture("either"), s -> s + "!")));
        System.out.println(never.isDone() + " " + never.getNow("absent") + " " + never.getNumberOfDependents());
        System.out.println(outcome(never.copy().orTimeout(2, TimeUnit.MILLISECONDS)) + " " + outcome(never.copy().completeOnTimeout("given up", 2, TimeUnit.MILLISECONDS)));
        try {
            never.get(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("TimeoutException");
        }
        System.out.println(never.complete("now") + " " + never.complete("again") + " " + never.join() + " " + never.completeExceptionally(new Error()));
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        CompletableFuture<Integer> dependent = cancelled.thenApply(String::length);
        System.out.println(cancelled.cancel(true) + " " + cancelled.isCancelled() + " " + outcome(cancelled) + " " + dependent.isCompletedExceptionally() + " " + outcome(dependent));
        CompletableFuture<String> manual = new CompletableFuture<>();
        CompletableFuture<String> order = manual.thenApply(s -> s + "1").thenApply(s -> s + "2");
        manual.obtrudeValue("x");
        System.out.println(order.getNow("not run by obtrusion"));
        CompletionStage<String> stage = CompletableFuture.completedStage("stage");
        System.out.println(stage.toCompletableFuture().join() + " " + outcome(CompletableFuture.failedFuture(new java.io.IOException("io"))));
        System.out.println(base.thenAcceptBoth(CompletableFuture.completedFuture(1), (a, b) -> log.append(a + b)).thenApply(v -> log.length() > 0).join());
        Executor later = CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS, pool);
        System.out.println(CompletableFuture.supplyAsync(() -> "delayed", later).get());
        System.out.println(CompletableFuture.supplyAsync(() -> "common pool").get());
        pool.shutdown();
        System.out.println(base.toString().replaceAll(".*\\[", "["));
    }
}
