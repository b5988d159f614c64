import java.util.concurrent.atomic.AtomicInteger;

/** Atomic additions are never lost, and each sees another number. */
public class AtomicIncrement {
    static int ours;
    static int theirs;

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger();
        Thread t = new Thread(() -> theirs = n.addAndGet(2));
        t.start();
        ours = n.getAndIncrement();
        t.join();
        assert n.get() == 3 && ours + 2 != theirs + 1;
    }
}
