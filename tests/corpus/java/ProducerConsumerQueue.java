//! clean
//! found deadlock broken
// A poison pill ends the consumers; broken: there is one for two of them.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class ProducerConsumerQueue {
    public static void main(String[] args) throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        Runnable consumer = () -> {
            try { while (queue.take() >= 0) { } } catch (InterruptedException e) { throw new AssertionError(e); }
        };
        new Thread(consumer).start();
        new Thread(consumer).start();
        queue.put(1);
        queue.put(-1);
        if (args.length == 0) queue.put(-1);
    }
}
