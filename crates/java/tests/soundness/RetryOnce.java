import java.util.concurrent.atomic.AtomicInteger;

/** A spin lock, taken by one and tried by the other, who gives up after two tries. */
public class RetryOnce {
    static int n;
    static int tries;

    public static void main(String[] args) throws Exception {
        AtomicInteger lock = new AtomicInteger();
        Thread t = new Thread(() -> {
            while (!lock.compareAndSet(0, 1)) {
                Thread.yield();
            }
            n++;
            lock.set(0);
        });
        t.start();
        for (tries = 1; tries <= 2; tries++) {
            if (lock.compareAndSet(0, 2)) {
                n += 10;
                lock.set(0);
                break;
            }
        }
        t.join();
        assert n == (tries <= 2 ? 11 : 1);
    }
}
