import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Readers and a writer under a read-write lock. Correct: it must be explored to the end without a false alarm.
 * Parameters: readers, writes.
 *
 * sojourner check examples/java/ReadWriteLockTwoReaders.java -- 2 1: clean
 */
public class ReadWriteLockTwoReaders {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private int left;
    private int right;

    void read() {
        lock.readLock().lock();
        try {
            assert left == right : "a reader saw half of a write";
        } finally {
            lock.readLock().unlock();
        }
    }

    void write() {
        lock.writeLock().lock();
        try {
            left++;
            right++;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) {
        int readers = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int writes = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        ReadWriteLockTwoReaders data = new ReadWriteLockTwoReaders();
        for (int i = 0; i < readers; i++) {
            new Thread(data::read).start();
        }
        for (int i = 0; i < writes; i++) {
            data.write();
        }
    }
}
