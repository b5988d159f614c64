import java.lang.reflect.Field;

/** An object becomes shared because a field is set by reflection. */
public class PublishedByReflection {
    static int[] shared;
    static boolean added;

    public static void main(String[] args) throws Exception {
        Field field = PublishedByReflection.class.getDeclaredField("shared");
        int[] cell = new int[1];
        Thread t = new Thread(() -> {
            int[] read = shared;
            if (read != null) {
                read[0]++;
                added = true;
            }
        });
        t.start();
        field.set(null, cell);
        cell[0]++;
        t.join();
        assert cell[0] == (added ? 2 : 1);
    }
}
