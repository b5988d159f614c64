import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Whoever holds the read lock cannot have the write lock. */
public class ReadLockUpgrade {
    static int cached;

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread t = new Thread(() -> {
            lock.writeLock().lock();
            cached = 1;
            lock.writeLock().unlock();
        });
        t.start();
        lock.readLock().lock();
        if (cached == 0) {
            lock.writeLock().lock();
            cached = 2;
            lock.writeLock().unlock();
        }
        lock.readLock().unlock();
    }
}
