//! clean
//! found assertion broken
// The action of a barrier sums up what both threads wrote; broken: a thread writes behind the barrier.
import java.util.concurrent.CyclicBarrier;
public class CyclicBarrierAction {
    static final int[] parts = new int[2];
    static volatile int sum;
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        CyclicBarrier barrier = new CyclicBarrier(2, () -> sum = parts[0] + parts[1]);
        Thread[] threads = new Thread[2];
        for (int n = 0; n < 2; n++) {
            int me = n;
            threads[n] = new Thread(() -> {
                try {
                    if (!broken || me == 0) parts[me] = me + 1;
                    barrier.await();
                    if (broken && me == 1) parts[me] = me + 1;
                } catch (Exception e) { throw new AssertionError(e); }
            });
            threads[n].start();
        }
        for (Thread thread : threads) thread.join();
        assert sum == 3;
    }
}
