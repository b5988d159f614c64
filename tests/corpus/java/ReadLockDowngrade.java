//! clean
//! found assertion broken
// A writer takes the read lock before it gives the write lock back. Broken: it gives it back first.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadLockDowngrade {
    static int value;

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread other = new Thread(() -> {
            lock.writeLock().lock();
            value = 2;
            lock.writeLock().unlock();
        });
        other.start();
        lock.writeLock().lock();
        value = 1;
        if (args.length > 0) {
            lock.writeLock().unlock();
            lock.readLock().lock();
        } else {
            lock.readLock().lock();
            lock.writeLock().unlock();
        }
        assert value == 1;
        lock.readLock().unlock();
        other.join();
    }
}
