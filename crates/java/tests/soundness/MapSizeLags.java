import java.util.concurrent.ConcurrentHashMap;

/** What is in a map can be found before it is counted. */
public class MapSizeLags {
    static boolean found;
    static int size;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        Thread t = new Thread(() -> map.put(1, 1));
        t.start();
        found = map.containsKey(1);
        size = map.size();
        t.join();
        assert map.size() == 1;
    }
}
