//! clean
//! found exception|hang|livelock broken
// A map computes a value from another key's. Broken: computing the value asks the map for the same key.
import java.util.concurrent.ConcurrentHashMap;

public class RecursiveCompute {
    static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();

    static int compute(int key, boolean broken) {
        return map.computeIfAbsent(key, k -> broken ? compute(k, false) + 1 : k + 1);
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> compute(2, false));
        other.start();
        compute(1, args.length > 0);
        other.join();
    }
}
