import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that contend for two locks, always taken in the same order. Correct: it must be explored to the end without
 * a false alarm.
 * Parameters: threads, rounds of each.
 *
 * sojourner check examples/java/ContendedLocks.java -- 2 2: clean
 */
public class ContendedLocks {
    private final ReentrantLock outer = new ReentrantLock();
    private final ReentrantLock inner = new ReentrantLock();
    private int rounds;
    private int inside;

    void work(int times) {
        for (int i = 0; i < times; i++) {
            outer.lock();
            try {
                inner.lock();
                try {
                    inside++;
                    assert inside == 1 : "two threads hold the lock";
                    inside--;
                } finally {
                    inner.unlock();
                }
                rounds++;
            } finally {
                outer.unlock();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int times = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        ContendedLocks shared = new ContendedLocks();
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = new Thread(() -> shared.work(times));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert shared.rounds == count * times : "a round was lost";
    }
}
