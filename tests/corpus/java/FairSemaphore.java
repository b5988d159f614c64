//! clean
//! found deadlock broken
// Two threads take two permits of two each. Broken: one by one, so that each may have one.
import java.util.concurrent.Semaphore;

public class FairSemaphore {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Semaphore permits = new Semaphore(2, true);
        Runnable work = () -> {
            if (broken) {
                permits.acquireUninterruptibly();
                permits.acquireUninterruptibly();
            } else {
                permits.acquireUninterruptibly(2);
            }
            permits.release(2);
        };
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
    }
}
