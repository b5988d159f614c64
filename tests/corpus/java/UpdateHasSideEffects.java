//! clean
//! found assertion broken
// The function of updateAndGet may be called more than once. Broken: it counts its calls.
import java.util.concurrent.atomic.AtomicInteger;

public class UpdateHasSideEffects {
    public static void main(String[] args) throws Exception {
        AtomicInteger value = new AtomicInteger(), calls = new AtomicInteger();
        Runnable update = () -> value.updateAndGet(old -> {
            if (args.length > 0) calls.incrementAndGet();
            return old + 1;
        });
        Thread other = new Thread(update);
        other.start();
        update.run();
        other.join();
        assert value.get() == 2;
        if (args.length > 0) assert calls.get() == 2;
    }
}
