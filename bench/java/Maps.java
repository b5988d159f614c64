import java.util.HashMap;
import java.util.Map;

/** A hash map that is filled, changed and read. */
public class Maps {
    public static void main(String[] arguments) {
        long sum = 0;
        for (int round = 0; round < 20; round++) {
            Map<Integer, Integer> map = new HashMap<>();
            for (int i = 0; i < 50_000; i++) {
                map.merge(i * 7 % 30_011, i, Integer::sum);
            }
            for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
                sum += entry.getKey() ^ entry.getValue();
            }
        }
        System.out.println(sum);
    }
}
