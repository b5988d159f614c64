import java.lang.reflect.Array;
import java.util.Arrays;

/** java.lang.reflect.Array: making, reading and writing arrays of every type, widening, errors. */
public class ReflectiveArrays {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    static <T> T[] grow(T[] array, T... more) {
        T[] result = (T[]) Array.newInstance(array.getClass().getComponentType(), array.length + more.length);
        System.arraycopy(array, 0, result, 0, array.length);
        System.arraycopy(more, 0, result, array.length, more.length);
        return result;
    }

    public static void main(String[] args) {
        Class<?>[] types = {boolean.class, byte.class, short.class, char.class, int.class, long.class, float.class, double.class, String.class};
        for (Class<?> type : types) {
            Object array = Array.newInstance(type, 3);
            if (type == boolean.class) Array.set(array, 1, true);
            else if (type == char.class) Array.setChar(array, 1, 'x');
            else if (type == String.class) Array.set(array, 1, "s");
            else Array.setByte(array, 1, (byte) 5);
            System.out.println(array.getClass().getName() + " " + Array.getLength(array) + " " + Array.get(array, 0) + " " + Array.get(array, 1) + " " + Array.get(array, 1).getClass().getSimpleName());
        }
        int[][][] cube = (int[][][]) Array.newInstance(int.class, 2, 3, 4);
        Object partial = Array.newInstance(int[].class, 2, 2);
        System.out.println(cube[1][2].length + " " + partial.getClass().getName() + " " + Arrays.deepToString((Object[]) partial));
        int[] ints = {1, 2, 3};
        System.out.println(Array.getLong(ints, 1) + " " + Array.getDouble(ints, 2) + " " + Array.getInt(new char[] {'a'}, 0) + " " + Array.getFloat(new long[] {1L << 40}, 0));
        attempt("narrowing", () -> Array.getByte(ints, 0));
        attempt("wrong value", () -> Array.set(ints, 0, "x"));
        attempt("long into int", () -> Array.setLong(ints, 0, 5));
        attempt("index", () -> Array.get(ints, 3));
        attempt("no array", () -> Array.getLength("text"));
        attempt("null", () -> Array.get(null, 0));
        attempt("null into int", () -> Array.set(ints, 0, null));
        attempt("store", () -> Array.set(new Integer[1], 0, "x"));
        attempt("negative", () -> Array.newInstance(int.class, -1));
        attempt("void", () -> Array.newInstance(void.class, 1));
        attempt("no dimensions", () -> Array.newInstance(int.class, new int[0]));
        attempt("null type", () -> Array.newInstance(null, 1));
        String[] grown = grow(new String[] {"a"}, "b", "c");
        System.out.println(Arrays.toString(grown) + " " + grown.getClass().getSimpleName());
        System.out.println(int[].class.getSuperclass() + " " + Arrays.toString(int[].class.getInterfaces()) + " " + (ints instanceof Cloneable) + " " + int[].class.isArray() + " " + Array.newInstance(ints.getClass(), 0).getClass() + " " + String[].class.arrayType().getTypeName());
        System.out.println(Object[].class.isAssignableFrom(String[].class) + " " + Object[].class.isAssignableFrom(int[].class) + " " + Object[].class.isInstance(new int[1][1]) + " " + int[].class.getMethods().length);
    }
}
