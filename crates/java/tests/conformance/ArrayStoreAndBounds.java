import java.util.*;

/** Messages of exceptions that the machine throws: bounds, stores, negative sizes, and helpful null pointers. */
public class ArrayStoreAndBounds {
    int field;
    ArrayStoreAndBounds next;
    int[] values;
    static ArrayStoreAndBounds shared;
    String[][] grid;

    ArrayStoreAndBounds self() {
        return null;
    }

    int method(int a, String b) {
        return 0;
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    static int at(int[] array, int index) {
        return array[index];
    }

    static void deref(ArrayStoreAndBounds parameter, Object[] objects, int i) {
        attempt("read field", () -> System.out.println(parameter.field));
        attempt("write field", () -> parameter.field = 1);
        attempt("invoke", () -> parameter.method(1, "x"));
        attempt("chain", () -> new ArrayStoreAndBounds().next.next.field++);
        attempt("returned", () -> new ArrayStoreAndBounds().self().field = 2);
        attempt("static", () -> shared.next = null);
        attempt("static array", () -> System.out.println(shared.values[3]));
        attempt("array field", () -> System.out.println(new ArrayStoreAndBounds().values[i + 1]));
        attempt("array length", () -> System.out.println(new ArrayStoreAndBounds().values.length));
        attempt("nested array", () -> {
            ArrayStoreAndBounds o = new ArrayStoreAndBounds();
            o.grid = new String[2][];
            o.grid[1][i] = "x";
        });
        attempt("element", () -> System.out.println(objects[i].hashCode()));
        attempt("throw", () -> {
            RuntimeException none = null;
            throw none;
        });
        attempt("synchronise", () -> {
            synchronized (objects[i]) {
                System.out.println("not reached");
            }
        });
        attempt("unbox", () -> {
            Map<String, Integer> map = new HashMap<>();
            int n = map.get("absent");
            System.out.println(n);
        });
        attempt("unbox long", () -> {
            Long l = null;
            long n = l + 1;
            System.out.println(n);
        });
        attempt("for each", () -> {
            List<String> list = null;
            for (String s : list) System.out.println(s);
        });
    }

    public static void main(String[] args) {
        int[] three = new int[3];
        for (int index : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) attempt("index " + index, () -> at(three, index));
        attempt("bytes", () -> (new byte[1][0])[0][0]++);
        attempt("booleans", () -> (new boolean[0])[0] = true);
        attempt("chars", () -> (new char[2])[5]--);
        attempt("longs", () -> (new long[2])[-2] = 4);
        attempt("objects", () -> (new Object[0])[0] = "x");
        Object[] strings = new String[1];
        attempt("store integer", () -> strings[0] = 1);
        attempt("store array", () -> strings[0] = new int[0]);
        attempt("store own", () -> new Integer[][] {{}}[0] = (Integer[]) (Object) new ArrayStoreAndBounds[0].clone());
        Object[] own = new Runnable[1];
        attempt("store lambda", () -> own[0] = (Runnable) () -> { });
        attempt("store own class", () -> own[0] = new ArrayStoreAndBounds());
        attempt("store null", () -> own[0] = null);
        attempt("null before bounds", () -> at(null, 99));
        attempt("division", () -> System.out.println(1 / three[0]));
        attempt("long division", () -> System.out.println(1L % three[0]));
        int[] order = {0};
        attempt("index is evaluated first", () -> {
            int[] none = null;
            none[order[0]++] = order[0]++;
        });
        System.out.println(order[0]);
        deref(null, new Object[2], 0);
        try {
            throw new NullPointerException();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
