import java.util.concurrent.atomic.AtomicInteger;

/** A loop of compare-and-set repeats until nobody was in between. */
public class CasLoop {
    static int result;

    static void twice(AtomicInteger n) {
        int old;
        do {
            old = n.get();
        } while (!n.compareAndSet(old, 2 * old + 1));
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        Thread t = new Thread(() -> twice(n));
        t.start();
        twice(n);
        t.join();
        result = n.get();
        assert result == 3;
    }
}
