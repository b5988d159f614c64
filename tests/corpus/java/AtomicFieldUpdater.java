//! clean
//! found assertion broken
// A field is counted up by an updater; broken: one thread uses ++.
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
public class AtomicFieldUpdater {
    volatile int count;
    static final AtomicIntegerFieldUpdater<AtomicFieldUpdater> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(AtomicFieldUpdater.class, "count");
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        AtomicFieldUpdater shared = new AtomicFieldUpdater();
        Thread other = new Thread(() -> COUNT.incrementAndGet(shared));
        other.start();
        if (broken) shared.count++; else COUNT.getAndAdd(shared, 1);
        other.join();
        assert shared.count == 2;
    }
}
