import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Two threads may hold a read lock: it protects no writes. */
public class WriteUnderReadLock {
    static int n;

    static void add(ReentrantReadWriteLock lock) {
        lock.readLock().lock();
        n++;
        lock.readLock().unlock();
    }

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread t = new Thread(() -> add(lock));
        t.start();
        add(lock);
        t.join();
        assert n == 2;
    }
}
