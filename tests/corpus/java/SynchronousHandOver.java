//! clean
//! found deadlock broken
// A synchronous queue holds nothing: each put waits for a take. Broken: two puts and one take.
import java.util.concurrent.SynchronousQueue;

public class SynchronousHandOver {
    public static void main(String[] args) throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread puts = new Thread(() -> {
            try {
                queue.put(1);
                if (args.length > 0) queue.put(2);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        puts.start();
        if (queue.take() != 1) throw new AssertionError();
        puts.join();
    }
}
