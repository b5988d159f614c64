import java.util.concurrent.CyclicBarrier;

/** Neither thread is behind the barrier before both are at it. */
public class BarrierMeets {
    static int left;
    static int right;
    static int seen;

    static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread t = new Thread(() -> {
            left = 1;
            meet(barrier);
            left += right;
        });
        t.start();
        right = 1;
        meet(barrier);
        seen = left;
        t.join();
        assert left == 2 && seen > 0;
    }
}
