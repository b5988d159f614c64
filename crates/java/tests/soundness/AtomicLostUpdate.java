import java.util.concurrent.atomic.AtomicInteger;

/** Reading and setting an atomic number are two operations. */
public class AtomicLostUpdate {
    static int result;

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        Thread t = new Thread(() -> n.set(n.get() + 1));
        t.start();
        n.incrementAndGet();
        t.join();
        result = n.get();
        assert result == 2;
    }
}
