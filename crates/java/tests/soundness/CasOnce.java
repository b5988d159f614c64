import java.util.concurrent.atomic.AtomicBoolean;

/** A compare-and-set that fails is taken for one that succeeded. */
public class CasOnce {
    static int entered;

    static void enter(AtomicBoolean taken) {
        taken.compareAndSet(false, true);
        entered++;
    }

    public static void main(String[] args) throws Exception {
        AtomicBoolean taken = new AtomicBoolean();
        Thread t = new Thread(() -> enter(taken));
        t.start();
        if (taken.compareAndSet(false, true)) {
            entered++;
        }
        t.join();
        assert entered == 1;
    }
}
