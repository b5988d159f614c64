//! clean
//! found exception broken
// unlock in a finally block although tryLock has failed.
import java.util.concurrent.locks.ReentrantLock;

public class TryLock {
    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        boolean broken = args.length > 0;
        Runnable work = () -> {
            if (broken) { try { lock.tryLock(); } finally { lock.unlock(); } }
            else if (lock.tryLock()) lock.unlock();
        };
        new Thread(work).start();
        new Thread(work).start();
    }
}
