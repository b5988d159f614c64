import java.util.concurrent.ConcurrentHashMap;

/** Asking the map and changing it are two operations. */
public class MapChecksThenActs {
    static int made;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        Thread t = new Thread(() -> map.put(1, 7));
        t.start();
        Integer old = map.get(1);
        if (old == null) {
            old = map.put(1, 8);
            made = old == null ? 1 : 2;
        }
        t.join();
        assert made < 2;
    }
}
