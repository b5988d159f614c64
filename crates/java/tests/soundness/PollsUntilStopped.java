import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Takes from a queue, for a while at a time, until it is told to stop: it may go round as often as it likes. */
public class PollsUntilStopped {
    static volatile boolean stopped;
    static int taken;

    public static void main(String[] args) throws Exception {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Thread t = new Thread(() -> {
            try {
                while (!stopped) {
                    Integer next = queue.poll(10, TimeUnit.MILLISECONDS);
                    if (next != null) {
                        taken += next;
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        t.start();
        queue.put(1);
        stopped = true;
        t.join();
    }
}
