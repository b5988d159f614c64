//! clean
//! found assertion broken
// An optimistic read is validated; broken: it is not.
import java.util.concurrent.locks.StampedLock;
public class StampedRead {
    static int a, b;
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        StampedLock lock = new StampedLock();
        Thread writer = new Thread(() -> {
            long stamp = lock.writeLock();
            a = 1; b = 1;
            lock.unlockWrite(stamp);
        });
        writer.start();
        long stamp = lock.tryOptimisticRead();
        int x = a, y = b;
        if (!broken && !lock.validate(stamp)) {
            stamp = lock.readLock();
            x = a; y = b;
            lock.unlockRead(stamp);
        }
        assert x == y;
        writer.join();
    }
}
