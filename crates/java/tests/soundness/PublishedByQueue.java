import java.util.concurrent.ConcurrentLinkedQueue;

/** An object becomes shared in a queue, and its giver goes on writing to it. */
public class PublishedByQueue {
    static boolean added;

    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<int[]> queue = new ConcurrentLinkedQueue<>();
        Thread t = new Thread(() -> {
            int[] read = queue.poll();
            if (read != null) {
                read[0]++;
                added = true;
            }
        });
        t.start();
        int[] cell = new int[1];
        queue.add(cell);
        cell[0]++;
        t.join();
        assert cell[0] == (added ? 2 : 1);
    }
}
