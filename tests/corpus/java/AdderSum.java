//! clean
//! found assertion broken
// The sum of a LongAdder is exact when all threads have ended. Broken: it is asked for before.
import java.util.concurrent.atomic.LongAdder;

public class AdderSum {
    public static void main(String[] args) throws Exception {
        LongAdder adder = new LongAdder();
        Thread a = new Thread(adder::increment), b = new Thread(adder::increment);
        a.start();
        b.start();
        a.join();
        if (args.length == 0) b.join();
        assert adder.sum() == 2;
    }
}
