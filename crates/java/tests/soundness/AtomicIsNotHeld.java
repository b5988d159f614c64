import java.util.concurrent.atomic.AtomicInteger;

/** Four operations on atomic numbers in a row: others come between any two. */
public class AtomicIsNotHeld {
    static int seen;

    public static void main(String[] args) throws Exception {
        AtomicInteger one = new AtomicInteger();
        AtomicInteger two = new AtomicInteger();
        Thread t = new Thread(() -> {
            one.set(1);
            two.set(one.get() + two.get());
        });
        t.start();
        seen = 10 * two.get() + one.get();
        two.set(5);
        t.join();
        seen = 10 * seen + two.get();
    }
}
