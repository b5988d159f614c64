//! clean
//! found assertion broken
// get and put of a ConcurrentHashMap are atomic, the pair of them is not.
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMap {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        map.put("n", 0);
        boolean broken = args.length > 0;
        Runnable add = () -> {
            if (broken) map.put("n", map.get("n") + 1);
            else map.merge("n", 1, Integer::sum);
        };
        Thread a = new Thread(add), b = new Thread(add);
        a.start(); b.start(); a.join(); b.join();
        assert map.get("n") == 2;
    }
}
