//! clean
//! found assertion broken
// A blocking queue gives the least element that is in it. Broken: that is taken to be the least of all that come.
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityQueueOrder {
    public static void main(String[] args) throws Exception {
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
        Thread a = new Thread(() -> queue.add(2)), b = new Thread(() -> queue.add(1));
        a.start();
        b.start();
        if (args.length == 0) {
            a.join();
            b.join();
        }
        assert queue.take() == 1;
        a.join();
        b.join();
    }
}
