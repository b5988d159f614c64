import java.util.concurrent.ConcurrentHashMap;

/** Removing all entries is many operations, even if it is one method. */
public class MapClears {
    static int seen;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        map.put(1, 1);
        map.put(2, 1);
        Thread t = new Thread(map::clear);
        t.start();
        seen = (map.containsKey(1) ? 1 : 0) + (map.containsKey(2) ? 2 : 0);
        t.join();
        assert map.isEmpty();
    }
}
