//! clean
//! found deadlock broken
// Two workers hand work over by a deque that holds one element. Broken: both put before they take.
import java.util.concurrent.LinkedBlockingDeque;

public class BlockingDequeEnds {
    public static void main(String[] args) throws Exception {
        LinkedBlockingDeque<Integer> left = new LinkedBlockingDeque<>(1), right = new LinkedBlockingDeque<>(1);
        int items = args.length > 0 ? 2 : 1;
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < items; i++) right.putLast(i);
                for (int i = 0; i < items; i++) left.takeFirst();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        for (int i = 0; i < items; i++) left.putLast(i);
        for (int i = 0; i < items; i++) right.takeFirst();
        other.join();
    }
}
