import java.util.concurrent.ArrayBlockingQueue;

/** What is put into a queue comes out of it, in order. */
public class QueueHandsOver {
    static int first;
    static int second;

    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Thread t = new Thread(() -> {
            try {
                queue.put(1);
                queue.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        t.start();
        first = queue.take();
        second = queue.take();
        assert first == 1 && second == 2;
    }
}
