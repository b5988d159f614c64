import java.util.concurrent.ConcurrentHashMap;

/** While a value is computed, others wait for the same key but not for other things. */
public class MapComputes {
    static int n;
    static int seen;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        Thread t = new Thread(() -> map.computeIfAbsent(1, key -> {
            n = 1;
            n = 2;
            return n;
        }));
        t.start();
        seen = n;
        t.join();
        assert map.get(1) == 2;
    }
}
