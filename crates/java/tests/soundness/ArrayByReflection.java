import java.lang.reflect.Array;

/** Elements that are read and written by reflection are read and written. */
public class ArrayByReflection {
    static int[] array = new int[1];

    static void add() {
        int value = Array.getInt(array, 0);
        Array.setInt(array, 0, value + 1);
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(ArrayByReflection::add);
        t.start();
        add();
        t.join();
        assert array[0] == 2;
    }
}
