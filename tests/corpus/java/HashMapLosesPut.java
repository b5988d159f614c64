//! clean
//! found assertion|exception broken
// Two threads put different keys into a map. Broken: it is no concurrent one, and an entry may be lost.
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class HashMapLosesPut {
    public static void main(String[] args) throws Exception {
        Map<Integer, Integer> map = args.length > 0 ? new HashMap<>() : new ConcurrentHashMap<>();
        Thread other = new Thread(() -> map.put(1, 1));
        other.start();
        map.put(17, 17);
        other.join();
        assert map.containsKey(1) && map.containsKey(17) && map.size() == 2;
    }
}
