import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that increment a shared atomic counter.
 * The repaired twin of LostUpdateAtomic.java: one update.
 * Parameters: threads, increments of each.
 *
 * sojourner check examples/java/LostUpdateAtomicFixed.java -- 2 1: clean
 */
public class LostUpdateAtomicFixed {
    private final AtomicInteger counter = new AtomicInteger();

    void increment(int times) {
        for (int i = 0; i < times; i++) {
            counter.incrementAndGet();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int times = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        LostUpdateAtomicFixed shared = new LostUpdateAtomicFixed();
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = new Thread(() -> shared.increment(times));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert shared.counter.get() == count * times : "an increment was lost";
    }
}
