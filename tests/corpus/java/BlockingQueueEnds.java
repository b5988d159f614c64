//! clean
//! found deadlock broken
// A producer and two consumers with end marks; broken: one mark for both.
import java.util.concurrent.ArrayBlockingQueue;
public class BlockingQueueEnds {
    public static void main(String[] args) throws Exception {
        int marks = args.length > 0 ? 1 : 2;
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        Runnable consume = () -> {
            try { while (queue.take() >= 0) { } } catch (InterruptedException e) { throw new AssertionError(e); }
        };
        Thread a = new Thread(consume), b = new Thread(consume);
        a.start(); b.start();
        queue.put(1);
        for (int n = 0; n < marks; n++) queue.put(-1);
        a.join(); b.join();
    }
}
