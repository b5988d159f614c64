import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that increment a shared atomic counter.
 * Defect: `get` and then `set` instead of one update; an increment is lost. Java PathFinder misses it: it exempts the
 * operations of an atomic behind a final reference from scheduling.
 * Parameters: threads, increments of each.
 *
 * sojourner check examples/java/LostUpdateAtomic.java -- 2 1: found, assertion
 */
public class LostUpdateAtomic {
    private final AtomicInteger counter = new AtomicInteger();

    void increment(int times) {
        for (int i = 0; i < times; i++) {
            counter.set(counter.get() + 1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int times = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        LostUpdateAtomic shared = new LostUpdateAtomic();
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
