import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Fork/join: recursive tasks and actions, invokeAll, exceptions, completers, helping, the common pool. */
public class ForkJoin {
    static class Fibonacci extends RecursiveTask<Integer> {
        final int n;

        Fibonacci(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            if (n < 2) return n;
            Fibonacci left = new Fibonacci(n - 1);
            left.fork();
            return new Fibonacci(n - 2).compute() + left.join();
        }
    }

    static class Sort extends RecursiveAction {
        final int[] a;
        final int from, to;

        Sort(int[] a, int from, int to) {
            this.a = a;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < 16) {
                Arrays.sort(a, from, to);
                return;
            }
            int mid = (from + to) >>> 1;
            invokeAll(new Sort(a, from, mid), new Sort(a, mid, to));
            int[] merged = new int[to - from];
            for (int k = 0, i = from, j = mid; k < merged.length; k++) {
                merged[k] = j >= to || i < mid && a[i] <= a[j] ? a[i++] : a[j++];
            }
            System.arraycopy(merged, 0, a, from, merged.length);
        }
    }

    static class Search extends CountedCompleter<Integer> {
        final int[] a;
        final int from, to;
        final AtomicInteger total;

        Search(CountedCompleter<?> parent, int[] a, int from, int to, AtomicInteger total) {
            super(parent);
            this.a = a;
            this.from = from;
            this.to = to;
            this.total = total;
        }

        @Override
        public void compute() {
            if (to - from > 20) {
                int mid = (from + to) / 2;
                setPendingCount(2);
                new Search(this, a, from, mid, total).fork();
                new Search(this, a, mid, to, total).fork();
            } else {
                for (int i = from; i < to; i++) total.addAndGet(a[i]);
            }
            tryComplete();
        }

        @Override
        public Integer getRawResult() {
            return total.get();
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(pool.invoke(new Fibonacci(15)) + " " + pool.getParallelism());
        int[] a = new Random(7).ints(300, 0, 1000).toArray();
        int[] expected = a.clone();
        Arrays.sort(expected);
        pool.submit(new Sort(a, 0, a.length)).get();
        System.out.println(Arrays.equals(a, expected) + " " + a[0] + " " + a[299]);
        System.out.println(pool.invoke(new Search(null, a, 0, a.length, new AtomicInteger())) == Arrays.stream(a).sum());
        ForkJoinTask<String> adapted = ForkJoinTask.adapt(() -> {
            throw new java.io.IOException("inside");
        });
        try {
            pool.invoke(adapted);
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + adapted.isCompletedAbnormally());
        }
        ForkJoinTask<?> cancelled = new Fibonacci(5);
        System.out.println(cancelled.cancel(true) + " " + cancelled.isCancelled());
        try {
            cancelled.join();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }
        System.out.println(new Fibonacci(12).fork().join() + " " + ForkJoinTask.inForkJoinPool() + " " + ForkJoinPool.commonPool().submit(() -> 5).get());
        List<Future<Integer>> all = pool.invokeAll(List.of(() -> 1, () -> 2, () -> 3));
        int sum = 0;
        for (Future<Integer> f : all) sum += f.get();
        System.out.println(sum + " " + new Fibonacci(3).invoke());
        Fibonacci quiet = new Fibonacci(10);
        quiet.quietlyInvoke();
        System.out.println(quiet.isCompletedNormally() + " " + quiet.getRawResult());
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.MINUTES) + " " + pool.isTerminated());
        try {
            pool.submit(new Fibonacci(1));
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
    }
}
