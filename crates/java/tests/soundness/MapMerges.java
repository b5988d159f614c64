import java.util.concurrent.ConcurrentHashMap;

/** Two threads count in a map in one operation each. */
public class MapMerges {
    static int count;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        Thread t = new Thread(() -> map.merge(1, 1, Integer::sum));
        t.start();
        map.merge(1, 1, Integer::sum);
        t.join();
        count = map.get(1);
        assert count == 2;
    }
}
