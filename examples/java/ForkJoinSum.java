import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/**
 * A sum by halves in a fork-join pool. Correct: it must be explored to the end without a false alarm.
 * Parameters: parallelism of the pool, numbers to add up.
 *
 * sojourner check examples/java/ForkJoinSum.java -- 1 2: clean
 */
public class ForkJoinSum {
    /** The sum of the numbers from `from` up to, not including, `to`. */
    private static final class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) {
                return from;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            int right = new Sum(middle, to).compute();
            return left.join() + right;
        }
    }

    public static void main(String[] args) {
        int parallelism = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int numbers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        ForkJoinPool pool = new ForkJoinPool(parallelism);
        int sum = pool.invoke(new Sum(0, numbers));
        assert sum == numbers * (numbers - 1) / 2 : "the sum is " + sum;
        pool.shutdown();
    }
}
