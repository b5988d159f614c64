//! clean
//! found exception broken
// A consumer that was woken takes from a queue that another one has emptied.
import java.util.ArrayDeque;

public class IfInsteadOfWhile {
    static final ArrayDeque<Integer> queue = new ArrayDeque<>();

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Runnable consumer = () -> {
            synchronized (queue) {
                try {
                    if (broken) { if (queue.isEmpty()) queue.wait(); }
                    else while (queue.isEmpty()) queue.wait();
                } catch (InterruptedException e) { throw new AssertionError(e); }
                queue.removeFirst();
            }
        };
        new Thread(consumer).start();
        new Thread(consumer).start();
        for (int i = 0; i < 2; i++)
            synchronized (queue) { queue.add(i); queue.notifyAll(); }
    }
}
