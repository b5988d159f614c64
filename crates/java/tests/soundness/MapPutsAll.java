import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Putting two entries is two operations, even if it is one method. */
public class MapPutsAll {
    static int seen;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        Map<Integer, Integer> both = Map.of(1, 1, 2, 1);
        Thread t = new Thread(() -> map.putAll(both));
        t.start();
        seen = (map.containsKey(1) ? 1 : 0) + (map.containsKey(2) ? 2 : 0);
        t.join();
        assert map.size() == 2;
    }
}
