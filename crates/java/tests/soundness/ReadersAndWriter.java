import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A reader never sees half of what a writer does. */
public class ReadersAndWriter {
    static int left;
    static int right;
    static int seen;

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread t = new Thread(() -> {
            lock.writeLock().lock();
            left++;
            right++;
            lock.writeLock().unlock();
        });
        t.start();
        lock.readLock().lock();
        seen = left;
        assert right == seen;
        lock.readLock().unlock();
        t.join();
    }
}
