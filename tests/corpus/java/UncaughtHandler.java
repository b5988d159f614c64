//! clean
//! found assertion broken
// A handler of uncaught exceptions counts what ended a thread. Broken: main looks before the thread has ended.
import java.util.concurrent.atomic.AtomicInteger;

public class UncaughtHandler {
    public static void main(String[] args) throws Exception {
        AtomicInteger caught = new AtomicInteger();
        Thread thread = new Thread(() -> {
            throw new IllegalStateException("expected");
        });
        thread.setUncaughtExceptionHandler((who, what) -> caught.incrementAndGet());
        thread.start();
        if (args.length == 0) thread.join();
        assert caught.get() == 1;
    }
}
