//! clean
//! found assertion broken
// A reference that goes from A to B and back to A; a stamp tells.
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicStampedReference;

public class CompareAndSetAba {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        AtomicReference<String> plain = new AtomicReference<>("A");
        AtomicStampedReference<String> stamped = new AtomicStampedReference<>("A", 0);
        boolean[] unchanged = {true};
        boolean[] swapped = {false};
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) { unchanged[0] = false; }
            plain.set("B");
            plain.set("A");
            stamped.set("A", 1);
        });
        String seen = plain.get();
        int stamp = stamped.getStamp();
        t.start();
        t.join();
        swapped[0] = broken ? plain.compareAndSet(seen, "C") : stamped.compareAndSet("A", "C", stamp, stamp + 1);
        assert !(swapped[0] && !unchanged[0]);
    }
}
