import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Read-write locks: shared reading, exclusive writing, reentrance, downgrading, no upgrading, conditions. */
public class ReadWriteLocks {
    static int value;

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        CyclicBarrier together = new CyclicBarrier(3);
        Thread[] readers = new Thread[3];
        for (int i = 0; i < 3; i++) {
            readers[i] = new Thread(() -> {
                rw.readLock().lock();
                try {
                    together.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                } finally {
                    rw.readLock().unlock();
                }
            });
            readers[i].start();
        }
        for (Thread t : readers) t.join();
        System.out.println("three read at once; now " + rw.getReadLockCount());

        Thread[] writers = new Thread[3];
        for (int i = 0; i < 3; i++) {
            writers[i] = new Thread(() -> {
                for (int n = 0; n < 100; n++) {
                    rw.writeLock().lock();
                    value++;
                    rw.writeLock().unlock();
                    rw.readLock().lock();
                    int seen = value;
                    assert seen > 0;
                    rw.readLock().unlock();
                }
            });
            writers[i].start();
        }
        for (Thread t : writers) t.join();
        System.out.println(value);

        rw.writeLock().lock();
        rw.writeLock().lock();
        rw.readLock().lock();
        System.out.println(rw.getWriteHoldCount() + " " + rw.getReadHoldCount() + " " + rw.isWriteLockedByCurrentThread());
        rw.writeLock().unlock();
        rw.writeLock().unlock();
        System.out.println("downgraded: " + rw.isWriteLocked() + " " + rw.getReadLockCount());
        System.out.println("no upgrade: " + rw.writeLock().tryLock() + " " + rw.writeLock().tryLock(2, TimeUnit.MILLISECONDS));
        Thread other = new Thread(() -> System.out.println("another reads " + rw.readLock().tryLock() + ", writes " + rw.writeLock().tryLock()
                + ", holds " + rw.getReadHoldCount()));
        other.start();
        other.join();
        System.out.println(rw.getReadLockCount() + " " + rw.toString().replaceAll(".*\\[W", "[W"));
        rw.readLock().unlock();
        try {
            rw.readLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            rw.writeLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            rw.readLock().newCondition();
        } catch (UnsupportedOperationException e) {
            System.out.println("no condition of the read lock");
        }
        ReentrantReadWriteLock fair = new ReentrantReadWriteLock(true);
        var c = fair.writeLock().newCondition();
        fair.writeLock().lock();
        System.out.println(c.await(1, TimeUnit.MILLISECONDS) + " " + fair.isFair() + " " + fair.getWriteHoldCount());
        StringBuffer order = new StringBuffer();
        Thread[] queue = {new Thread(() -> use(fair.readLock(), order, "r1")), new Thread(() -> use(fair.writeLock(), order, "w")),
            new Thread(() -> use(fair.readLock(), order, "r2"))};
        for (int i = 0; i < 3; i++) {
            queue[i].start();
            while (fair.getQueueLength() <= i) Thread.yield();
        }
        fair.writeLock().unlock();
        for (Thread t : queue) t.join();
        System.out.println(order);
    }

    static void use(java.util.concurrent.locks.Lock lock, StringBuffer order, String name) {
        lock.lock();
        order.append(name).append(' ');
        lock.unlock();
    }
}
