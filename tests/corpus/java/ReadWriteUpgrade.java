//! clean
//! found deadlock broken
// A read lock cannot be upgraded.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteUpgrade {
    public static void main(String[] args) {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        boolean broken = args.length > 0;
        new Thread(() -> {
            lock.readLock().lock();
            if (!broken) lock.readLock().unlock();
            lock.writeLock().lock();
            lock.writeLock().unlock();
            if (broken) lock.readLock().unlock();
        }).start();
    }
}
