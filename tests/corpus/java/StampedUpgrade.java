//! clean
//! found assertion broken
// An optimistic read is checked before its result is used. Broken: it is not.
import java.util.concurrent.locks.StampedLock;

public class StampedUpgrade {
    static final StampedLock lock = new StampedLock();
    static volatile int x = 1, y = 1;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            long stamp = lock.writeLock();
            x = 2;
            y = 2;
            lock.unlockWrite(stamp);
        });
        writer.start();
        long stamp = lock.tryOptimisticRead();
        int seenX = x, seenY = y;
        if (args.length == 0 && !lock.validate(stamp)) {
            stamp = lock.readLock();
            seenX = x;
            seenY = y;
            lock.unlockRead(stamp);
        }
        assert seenX == seenY;
        writer.join();
    }
}
