import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Items that are handed from one thread to another over a blocking queue. Correct: it must be explored to the end
 * without a false alarm.
 * Parameters: items, capacity of the queue.
 *
 * sojourner check examples/java/BlockingQueueHandOff.java -- 2 1: clean
 */
public class BlockingQueueHandOff {
    static void produce(BlockingQueue<Integer> queue, int items) {
        try {
            for (int i = 1; i <= items; i++) {
                queue.put(i);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int items = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int capacity = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(capacity);
        new Thread(() -> produce(queue, items)).start();
        for (int i = 1; i <= items; i++) {
            int item = queue.take();
            assert item == i : "items are lost or out of order";
        }
        assert queue.isEmpty();
    }
}
