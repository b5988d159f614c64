//! clean
//! found assertion broken
// A sum by recursive tasks; broken: the forked part is not joined.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
public class ForkJoinSum {
    static boolean broken;
    static volatile int left;
    static class Sum extends RecursiveTask<Integer> {
        final int from, to;
        Sum(int from, int to) { this.from = from; this.to = to; }
        @Override protected Integer compute() {
            if (to - from == 1) return from;
            int middle = (from + to) / 2;
            Sum one = new Sum(from, middle), two = new Sum(middle, to);
            one.fork();
            int right = two.compute();
            return right + (broken ? (one.isDone() ? one.join() : 0) : one.join());
        }
    }
    public static void main(String[] args) {
        broken = args.length > 0;
        assert new ForkJoinPool(2).invoke(new Sum(1, 3)) == 3;
    }
}
