//! clean
//! found assertion broken
// volatile does not make ++ atomic.
import java.util.concurrent.atomic.AtomicInteger;

public class VolatileIncrement {
    static volatile int v;
    static final AtomicInteger atomic = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Runnable add = () -> { if (broken) v++; else atomic.incrementAndGet(); };
        Thread a = new Thread(add), b = new Thread(add);
        a.start(); b.start(); a.join(); b.join();
        assert (broken ? v : atomic.get()) == 2;
    }
}
