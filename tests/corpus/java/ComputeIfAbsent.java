//! clean
//! found assertion broken
// A value is made once by computeIfAbsent; broken: by get and put.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
public class ComputeIfAbsent {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        AtomicInteger made = new AtomicInteger();
        Runnable ask = () -> {
            if (!broken) map.computeIfAbsent("key", key -> made.incrementAndGet());
            else if (map.get("key") == null) map.put("key", made.incrementAndGet());
        };
        Thread a = new Thread(ask), b = new Thread(ask);
        a.start(); b.start(); a.join(); b.join();
        assert made.get() == 1;
    }
}
