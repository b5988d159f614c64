//! clean
//! found deadlock broken
// A cyclic barrier for three with two parties.
import java.util.concurrent.CyclicBarrier;

public class BarrierBroken {
    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(args.length > 0 ? 3 : 2);
        Runnable work = () -> {
            try { barrier.await(); } catch (Exception e) { throw new AssertionError(e); }
        };
        new Thread(work).start();
        new Thread(work).start();
    }
}
