//! clean
//! found assertion broken
// A volatile array reference says nothing of its elements. Right: the elements are updated atomically.
import java.util.concurrent.atomic.AtomicIntegerArray;

public class FieldsOfStaticArray {
    static volatile int[] plain = new int[2];
    static final AtomicIntegerArray atomic = new AtomicIntegerArray(2);

    static void add(boolean broken) {
        if (broken) plain[1]++;
        else atomic.incrementAndGet(1);
    }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread other = new Thread(() -> add(broken));
        other.start();
        add(broken);
        other.join();
        assert (broken ? plain[1] : atomic.get(1)) == 2;
    }
}
