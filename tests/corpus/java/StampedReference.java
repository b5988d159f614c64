//! clean
//! found assertion broken
// A stamp tells a value that came back from one that never left. Broken: only the value is compared.
import java.util.concurrent.atomic.AtomicStampedReference;

public class StampedReference {
    static final AtomicStampedReference<String> top = new AtomicStampedReference<>("a", 0);
    static volatile boolean changed;

    public static void main(String[] args) throws Exception {
        Thread changes = new Thread(() -> {
            int[] stamp = new int[1];
            String value = top.get(stamp);
            if (top.compareAndSet(value, "b", stamp[0], stamp[0] + 1)) {
                changed = true;
                top.compareAndSet("b", "a", stamp[0] + 1, args.length > 0 ? stamp[0] : stamp[0] + 2);
            }
        });
        int[] stamp = new int[1];
        String value = top.get(stamp);
        changes.start();
        boolean before = changed;
        boolean exchanged = top.compareAndSet(value, "c", stamp[0], stamp[0] + 1);
        changes.join();
        assert before || !(exchanged && changed && top.getReference().equals("c"));
    }
}
