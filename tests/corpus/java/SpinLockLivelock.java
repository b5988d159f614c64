//! clean
//! found livelock broken
// Two spin locks taken in opposite orders: both threads spin for ever.
import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLockLivelock {
    static void lock(AtomicBoolean l) { while (!l.compareAndSet(false, true)) Thread.yield(); }

    public static void main(String[] args) {
        AtomicBoolean a = new AtomicBoolean(), b = new AtomicBoolean();
        boolean broken = args.length > 0;
        new Thread(() -> { lock(a); lock(b); b.set(false); a.set(false); }).start();
        new Thread(() -> {
            AtomicBoolean first = broken ? b : a, second = broken ? a : b;
            lock(first); lock(second); second.set(false); first.set(false);
        }).start();
    }
}
