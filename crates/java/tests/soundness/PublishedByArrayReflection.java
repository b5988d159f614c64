import java.lang.reflect.Array;

/** An object becomes known to others when it is stored in a known array by reflection. */
public class PublishedByArrayReflection {
    static int[][] known = new int[1][];
    static int added;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            int[] cell = known[0];
            if (cell != null) {
                added = 1;
                cell[0]++;
            }
        });
        t.start();
        int[] cell = new int[1];
        Array.set(known, 0, cell);
        cell[0]++;
        t.join();
        assert cell[0] == 1 + added;
    }
}
