import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/** StampedLock: optimistic reads, validation, conversions, views as other locks, wrong stamps. */
public class StampedLocks {
    static final StampedLock lock = new StampedLock();
    static double x = 3, y = 4;

    static double distance() {
        long stamp = lock.tryOptimisticRead();
        double cx = x, cy = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                cx = x;
                cy = y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return Math.sqrt(cx * cx + cy * cy);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(distance());
        long optimistic = lock.tryOptimisticRead();
        long write = lock.writeLock();
        System.out.println(lock.validate(optimistic) + " " + lock.isWriteLocked() + " " + lock.tryOptimisticRead() + " " + lock.tryReadLock());
        x = 6;
        y = 8;
        lock.unlockWrite(write);
        System.out.println(distance() + " " + lock.validate(optimistic) + " " + lock.validate(lock.tryOptimisticRead()));
        long read = lock.readLock();
        long second = lock.readLock();
        System.out.println(lock.getReadLockCount() + " " + lock.tryConvertToWriteLock(read) + " " + lock.isReadLocked());
        lock.unlockRead(second);
        long upgraded = lock.tryConvertToWriteLock(read);
        System.out.println((upgraded != 0) + " " + lock.isWriteLocked());
        long down = lock.tryConvertToReadLock(upgraded);
        System.out.println((down != 0) + " " + lock.isReadLocked() + " " + StampedLock.isReadLockStamp(down));
        long opt = lock.tryConvertToOptimisticRead(down);
        System.out.println(lock.validate(opt) + " " + lock.isReadLocked() + " " + StampedLock.isOptimisticReadStamp(opt));
        try {
            lock.unlockWrite(12345);
        } catch (IllegalMonitorStateException e) {
            System.out.println("wrong stamp");
        }
        long held = lock.writeLock();
        Thread reader = new Thread(() -> {
            try {
                System.out.println("timed " + lock.tryReadLock(1, TimeUnit.MILLISECONDS) + " " + lock.tryWriteLock());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            long s = lock.readLock();
            System.out.println("read after the writer: " + x);
            lock.unlock(s);
        });
        reader.start();
        while (reader.getState() != Thread.State.WAITING) Thread.yield();
        x = 99;
        lock.unlockWrite(held);
        reader.join();
        lock.asReadLock().lock();
        System.out.println(lock.asReadWriteLock().writeLock().tryLock() + " " + lock.tryUnlockRead() + " " + lock.tryUnlockWrite());
        Thread[] adders = new Thread[3];
        for (int i = 0; i < 3; i++) {
            adders[i] = new Thread(() -> {
                for (int n = 0; n < 200; n++) {
                    long s = lock.writeLock();
                    y += 1;
                    lock.unlockWrite(s);
                }
            });
            adders[i].start();
        }
        for (Thread t : adders) t.join();
        System.out.println(y + " " + lock.toString().replaceAll(".*\\[", "["));
    }
}
