//! clean
//! found exception broken
// Two threads meet at a barrier. Broken: a third one resets it, and one that waits gets an exception.
import java.util.concurrent.CyclicBarrier;

public class BarrierReset {
    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread resets = new Thread(() -> {
            if (args.length > 0) barrier.reset();
        });
        Thread other = new Thread(() -> {
            try {
                barrier.await();
            } catch (InterruptedException | java.util.concurrent.BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        });
        resets.start();
        other.start();
        barrier.await();
        other.join();
        resets.join();
    }
}
