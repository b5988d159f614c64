import java.util.ArrayList;
import java.util.Arrays;

/** Requests for memory that no machine grants, and negative sizes: their errors are caught and the program goes on. */
public class OutOfMemory {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": granted");
        } catch (OutOfMemoryError | RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        attempt("ints", () -> System.out.println(new int[Integer.MAX_VALUE].length));
        attempt("longs", () -> System.out.println(new long[Integer.MAX_VALUE - 1].length));
        attempt("objects", () -> System.out.println(new Object[Integer.MAX_VALUE].length));
        attempt("bytes", () -> System.out.println(new byte[Integer.MAX_VALUE].length));
        attempt("negative", () -> System.out.println(new int[-1].length));
        attempt("negative inside", () -> System.out.println(new int[3][-4].length));
        attempt("negative after zero", () -> System.out.println(new int[0][-4].length));
        attempt("zero before large", () -> System.out.println(new int[0][Integer.MAX_VALUE].length));
        attempt("list", () -> System.out.println(new ArrayList<>(-5)));
        attempt("copy", () -> System.out.println(Arrays.copyOf(new int[1], -2).length));
        attempt("reflective", () -> System.out.println(java.lang.reflect.Array.newInstance(String.class, -3)));
        attempt("repeat", () -> System.out.println("ab".repeat(Integer.MAX_VALUE).length()));
        attempt("repeat negative", () -> System.out.println("ab".repeat(-1).length()));
        attempt("explicit", () -> {
            throw new OutOfMemoryError("by the program");
        });
        int[] small = new int[1000];
        Arrays.fill(small, 3);
        System.out.println(Arrays.stream(small).sum());
    }
}
