import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A slot of one item between a producer and a consumer, with a lock and two conditions. Correct: it must be explored
 * to the end without a false alarm.
 * Parameters: items.
 *
 * sojourner check examples/java/ReentrantLockCondition.java -- 2: clean
 */
public class ReentrantLockCondition {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private int slot;

    void put(int item) throws InterruptedException {
        lock.lock();
        try {
            while (slot != 0) {
                emptied.await();
            }
            slot = item;
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    int take() throws InterruptedException {
        lock.lock();
        try {
            while (slot == 0) {
                filled.await();
            }
            int item = slot;
            slot = 0;
            emptied.signal();
            return item;
        } finally {
            lock.unlock();
        }
    }

    void produce(int items) {
        try {
            for (int i = 1; i <= items; i++) {
                put(i);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int items = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        ReentrantLockCondition slot = new ReentrantLockCondition();
        new Thread(() -> slot.produce(items)).start();
        for (int i = 1; i <= items; i++) {
            int item = slot.take();
            assert item == i : "items are lost or out of order";
        }
    }
}
