import java.util.concurrent.ConcurrentLinkedQueue;

/** Counting the elements of a queue is many operations: the number may be one that there never was. */
public class QueueIsCounted {
    static int size;

    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        queue.add(1);
        Thread t = new Thread(() -> {
            queue.poll();
            queue.add(2);
        });
        t.start();
        size = queue.size();
        t.join();
    }
}
