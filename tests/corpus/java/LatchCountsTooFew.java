//! clean
//! found deadlock broken
// A worker that fails does not count down.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class LatchCountsTooFew {
    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        AtomicInteger turn = new AtomicInteger();
        boolean broken = args.length > 0;
        Runnable work = () -> {
            if (broken && turn.getAndIncrement() == 1) return;
            done.countDown();
        };
        new Thread(work).start();
        new Thread(work).start();
        done.await();
    }
}
