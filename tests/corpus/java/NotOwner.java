//! clean
//! found exception broken
// A lock is released by its owner. Broken: by whichever thread comes, so that one of them is not the owner.
import java.util.concurrent.locks.ReentrantLock;

public class NotOwner {
    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Runnable work = () -> {
            boolean taken = lock.tryLock();
            if (taken || args.length > 0) lock.unlock();
        };
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
    }
}
