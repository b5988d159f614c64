import java.util.concurrent.locks.StampedLock;

/**
 * A point under a stamped lock, with an optimistic read that falls back to a read lock. Correct: it must be explored
 * to the end without a false alarm.
 * Parameters: moves of the writer.
 *
 * sojourner check examples/java/StampedLockPoint.java -- 1: clean
 */
public class StampedLockPoint {
    private final StampedLock lock = new StampedLock();
    private volatile int x;
    private volatile int y;

    void move() {
        long stamp = lock.writeLock();
        try {
            x = x + 1;
            y = y + 1;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    boolean isOnDiagonal() {
        long stamp = lock.tryOptimisticRead();
        int seenX = x;
        int seenY = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                seenX = x;
                seenY = y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return seenX == seenY;
    }

    public static void main(String[] args) {
        int moves = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        StampedLockPoint point = new StampedLockPoint();
        new Thread(() -> {
            for (int i = 0; i < moves; i++) {
                point.move();
            }
        }).start();
        assert point.isOnDiagonal() : "the point was seen in the middle of a move";
    }
}
