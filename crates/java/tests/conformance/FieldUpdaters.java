import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Field updaters: atomic operations on volatile fields by reflection, and what they refuse. */
public class FieldUpdaters {
    volatile int count;
    private volatile long total = 1L << 33;
    volatile String name = "none";
    int plain;
    static volatile int shared;
    volatile Integer boxed = 5;

    static final AtomicIntegerFieldUpdater<FieldUpdaters> COUNT = AtomicIntegerFieldUpdater.newUpdater(FieldUpdaters.class, "count");
    static final AtomicLongFieldUpdater<FieldUpdaters> TOTAL = AtomicLongFieldUpdater.newUpdater(FieldUpdaters.class, "total");
    static final AtomicReferenceFieldUpdater<FieldUpdaters, String> NAME =
            AtomicReferenceFieldUpdater.newUpdater(FieldUpdaters.class, String.class, "name");

    static class Sub extends FieldUpdaters { }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + (e.getCause() == null ? "" : " by " + e.getCause().getClass().getSimpleName()));
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Exception {
        FieldUpdaters o = new FieldUpdaters();
        System.out.println(COUNT.incrementAndGet(o) + " " + COUNT.getAndAdd(o, 10) + " " + COUNT.compareAndSet(o, 11, 20) + " "
                + COUNT.updateAndGet(o, x -> x + 1) + " " + COUNT.getAndSet(o, 3) + " " + COUNT.accumulateAndGet(o, 4, (a, b) -> a - b));
        System.out.println(TOTAL.getAndIncrement(o) + " " + TOTAL.addAndGet(o, -1) + " " + TOTAL.compareAndSet(o, 1L << 33, -1) + " " + o.total);
        System.out.println(NAME.compareAndSet(o, "none", "one") + " " + NAME.getAndUpdate(o, s -> s + "!") + " " + NAME.get(o) + " " + NAME.getAndSet(o, null));
        COUNT.lazySet(o, 0);
        Sub sub = new Sub();
        System.out.println(COUNT.incrementAndGet(sub) + " " + o.count);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 300; n++) {
                    COUNT.incrementAndGet(o);
                    TOTAL.addAndGet(o, n);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(o.count + " " + o.total);
        attempt("not volatile", () -> AtomicIntegerFieldUpdater.newUpdater(FieldUpdaters.class, "plain"));
        attempt("missing", () -> AtomicIntegerFieldUpdater.newUpdater(FieldUpdaters.class, "absent"));
        attempt("wrong type", () -> AtomicIntegerFieldUpdater.newUpdater(FieldUpdaters.class, "total"));
        attempt("wrong reference type", () -> AtomicReferenceFieldUpdater.newUpdater(FieldUpdaters.class, String.class, "boxed"));
        attempt("static", () -> AtomicIntegerFieldUpdater.newUpdater(FieldUpdaters.class, "shared"));
        attempt("null", () -> COUNT.get(null));
        attempt("wrong object", () -> ((AtomicIntegerFieldUpdater) COUNT).get("text"));
        attempt("wrong value", () -> ((AtomicReferenceFieldUpdater) NAME).set(o, 5));
        AtomicReferenceFieldUpdater<FieldUpdaters, Integer> boxed = AtomicReferenceFieldUpdater.newUpdater(FieldUpdaters.class, Integer.class, "boxed");
        System.out.println(boxed.accumulateAndGet(o, 6, Integer::sum));
    }
}
