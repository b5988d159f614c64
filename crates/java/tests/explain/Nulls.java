import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;

/**
 * Each method throws one NullPointerException. A number at the end of its name says which of the instructions that can
 * throw one does: the first if there is no number.
 */
public class Nulls {
    Nulls next;
    Nulls other;
    int number;
    long wide;
    int[] ints;
    Object[] objects;
    Nulls[] array;
    Nulls[][] grid;
    String text;
    byte[] bytes = {0, 1};
    long[] longs = {0, 1};
    static Nulls empty;
    static Nulls full = new Nulls();
    static int[][] table = new int[3][];
    static String word;
    static int index = 1;

    static class Inner {
        static Inner it;
        Inner deeper;
        int value;

        Inner get(Inner a, int[] b) {
            return null;
        }
    }

    interface Shape {
        Shape scale(double by, long times, String[][] how);
    }

    static Shape shape() {
        return null;
    }

    Nulls self() {
        return this;
    }

    Nulls none(int a, String b) {
        return null;
    }

    static Object nothing(Object o) {
        return o;
    }

    // Each array instruction.
    static int loadInt(int[] a) { return a[0]; }
    static long loadLong(long[] a) { return a[1]; }
    static float loadFloat(float[] a) { return a[2]; }
    static double loadDouble(double[] a) { return a[3]; }
    static Object loadObject(Object[] a) { return a[4]; }
    static byte loadByte(byte[] a) { return a[5]; }
    static boolean loadBoolean(boolean[] a) { return a[6]; }
    static char loadChar(char[] a) { return a[-1]; }
    static short loadShort(short[] a) { return a[100]; }
    static void storeInt(int[] a) { a[0] = 1; }
    static void storeLong(long[] a) { a[0] = 1; }
    static void storeFloat(float[] a) { a[0] = 1; }
    static void storeDouble(double[] a) { a[0] = 1; }
    static void storeObject(Object[] a) { a[0] = ""; }
    static void storeByte(byte[] a) { a[0] = 1; }
    static void storeBoolean(boolean[] a) { a[0] = true; }
    static void storeChar(char[] a) { a[0] = 1; }
    static void storeShort(short[] a) { a[0] = 1; }
    static int length(int[] a) { return a.length; }
    static void forEach(List<String> a) { for (String s : a) { s.length(); } }
    static void forArray(String[] a) { for (String s : a) { s.length(); } }

    // Fields.
    static int readField(Nulls a) { return a.number; }
    static long readWide(Nulls a) { return a.wide; }
    static void assignField(Nulls a) { a.number = 3; }
    static void assignWide(Nulls a) { a.wide = 3; }
    static void increment(Nulls a) { a.number++; }
    static void addTo(Nulls a) { a.wide += 2; }
    int ofThis_2() { return next.number; }
    int ofThisTwice_3() { return self().next.number; }
    void assignOfThis_2() { next.number = 1; }
    static int ofStatic() { return empty.number; }
    static int ofStaticField_2() { return full.next.number; }
    static int ofInner() { return Inner.it.value; }
    static int deep_2(Inner a) { a = new Inner(); return a.deeper.value; }
    int five_9() { next = this; other = this; text = ""; return next.other.next.other.ints.length; }
    int six_8() { next = this; other = null; next.next.next.next.other.next.next.number = 1; return 0; }
    int seven_8() { next = this; Nulls n = this; n.array = null; return n.next.next.next.next.array[1].number; }

    // Calls.
    static int call(String s) { return s.length(); }
    static void callWithArguments(Shape s) { s.scale(1, 2, null); }
    static void callOnStaticResult() { shape().scale(1, 2, null); }
    void callOnVirtualResult_2() { none(1, "").self(); }
    int fieldOfResult_2() { return none(1, "").number; }
    int elementOfResult_2() { return ((Nulls[]) objects())[3].number; }
    Object[] objects() { return objects; }
    static int castResult() { return ((Nulls) nothing(null)).number; }
    static int cast(Object o) { return ((Nulls) o).number; }
    static int unboxed(Integer i) { return i; }
    static int unboxedSum(Long a, Integer b) { return (int) (a + b); }
    static boolean equal(Object a) { return a.equals(null); }
    static void builder(StringBuilder b, Nulls c) { c.takes(b, null, null, null, 0); }
    void takes(StringBuilder b, Objects o, java.util.Objects p, String[] q, int i) {}
    static class Objects {}
    static Object copy(int[] a) { return a.clone(); }
    static Object copyStrings(String[] a) { return a.clone(); }
    static void privateCall(Nulls n) { n.hidden(); }
    private void hidden() {}
    static void supplied(Supplier<String> s) { s.get(); }
    static int constructed_2() { return new Nulls().text.length(); }
    static Object outer(Outer o) { return o.new Member(); }
    static class Outer { class Member {} }
    static int lambda_2() { Supplier<Inner> s = () -> null; return s.get().value; }
    static void lambdaBody() { String s = null; Runnable r = () -> s.length(); r.run(); }
    static Object bound(String s) { Supplier<Integer> p = s::length; return p; }
    int manyInner_4() { Inner i = new Inner(); return i.get(i.get(null, null), ints).get(null, null).value; }

    // Exceptions and monitors.
    static void throwing(RuntimeException e) { throw e; }
    static void throwNull() { throw null; }
    static void throwResult() { throw error(); }
    static RuntimeException error() { return null; }
    static void locked(Object o) { synchronized (o) { index++; } }
    static void lockedNull() { synchronized (word) { index++; } }
    void lockedField_2() { synchronized (text) { index++; } }

    // Constants and locals.
    static int nullConstant() { return ((String) null).length(); }
    static int nullField() { return ((Nulls) null).number; }
    static int local() { String s = null; return s.length(); }
    static int localAfterWide(long a, double b) { String s = word; return s.length(); }
    static int secondParameter(long a, String b) { return b.length(); }
    int thirdParameter(double a, int b, String c) { return c.length(); }
    static int overwritten(String s) { s = word; return s.length(); }
    static int overwrittenLater(String s) { int n = 0; while (n < 2) { n += s.length(); s = ""; } return n; }
    static int overwrittenMaybe(String s, boolean b) { if (b) { s = ""; } return s.length(); }
    static int overwrittenInTry(String s, int i) { try { s = null; i = 1 / 0; } catch (ArithmeticException e) { return s.length(); } return 0; }
    static int branches(String s, int i) { switch (i) { case 0: return s.length(); default: return 0; } }
    static int conditional(String a, String b, boolean c) { return (c ? a : b).length(); }
    static int conditionalArgument(Nulls a, boolean c) { return a.none(c ? 1 : 2, c ? "" : null).number; }
    static int inArgument(Nulls a, String s) { return full.sum(c() ? 1 : 2, s.length()); }
    static boolean c() { return true; }
    int sum(int a, int b) { return a + b; }
    static int switched(String s) { switch (s) { case "a": return 1; default: return 2; } }
    static int switchedEnum(Thread.State s) { switch (s) { case NEW: return 1; default: return 2; } }
    static int many(int a00, int a01, int a02, int a03, int a04, int a05, int a06, int a07, int a08, int a09,
            int a10, int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19,
            int a20, int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29,
            long a30, long a32, long a34, long a36, long a38, long a40, long a42, long a44, long a46, long a48,
            long a50, long a52, long a54, long a56, long a58, long a60, String s62, String s63, String s64) {
        return s64.length();
    }
    static int many63(int a00, int a01, int a02, int a03, int a04, int a05, int a06, int a07, int a08, int a09,
            int a10, int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19,
            int a20, int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29,
            long a30, long a32, long a34, long a36, long a38, long a40, long a42, long a44, long a46, long a48,
            long a50, long a52, long a54, long a56, long a58, long a60, String s62, String s63, String s64) {
        return s63.length();
    }

    // Array elements and their indices.
    static int element_2(Nulls[] a) { a = new Nulls[3]; return a[2].number; }
    static int elementAt_2(int i) { Nulls[] a = new Nulls[3]; return a[i].number; }
    static int stepped_2(int i) { Nulls[] a = new Nulls[3]; i++; return a[i].number; }
    static int computed_2(int i) { Nulls[] a = new Nulls[3]; return a[i + 1].number; }
    static int ofTable_2() { return table[1][2]; }
    static int ofTable_4() { int[] a = {1}; return table[a[0]][2]; }
    static int assigned_2() { table[index][0] = 1; return 0; }
    static int byStatic_2() { return table[index].length; }
    int byField_3() { return table[number].length; }
    int byByte_4() { return table[bytes[1]].length; }
    int byLong_4() { return table[(int) longs[1]].length; }
    int byCall_3() { return table[sum(0, 1)].length; }
    int byLength_4() { return table[bytes.length].length; }
    int byConstant_2() { int[][] t = new int[400][]; return t[300].length; }
    int byBig_2() { int[][] t = new int[70000][]; return t[69999].length; }
    int byNested_9() { int[] a = {0, 1, 2, 3}; return table[a[a[a[1]]]].length; }
    int byNested_12() { int[] a = {0, 1, 2, 3}; return table[a[a[a[a[a[a[1]]]]]]].length; }
    int byNested_15() { int[] a = {0, 1, 2}; return table[a[a[a[a[a[a[a[a[a[a[1]]]]]]]]]]].length; }
    int dims_11() { Object[][][][][][] o = {{{{{null}}}}}; return o[0][0][0][0][0].length; }
    int dims_13() { Object[][][][][][][] o = {{{{{{null}}}}}}; return o[0][0][0][0][0][0].length; }
    int grid_5() { grid = new Nulls[2][2]; return grid[1][0].number; }
    int mixed_7() { grid = new Nulls[2][2]; number = 0; return grid[1][number].next.array[3].number; }
    void compound_2() { ints[1] += 2; }
    void chained_3() { next.next = other = null; }

    public static void main(String[] arguments) throws Exception {
        for (Method method : Nulls.class.getDeclaredMethods()) {
            Class<?>[] types = method.getParameterTypes();
            Object[] values = new Object[types.length];
            for (int i = 0; i < types.length; i++) {
                values[i] = zero(types[i]);
            }
            Object receiver = Modifier.isStatic(method.getModifiers()) ? null : new Nulls();
            if (method.getName().equals("main") || method.getName().equals("zero")) {
                continue;
            }
            try {
                method.invoke(receiver, values);
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause();
                String thrower = cause.getStackTrace()[0].getMethodName();
                if (cause instanceof NullPointerException && thrower.equals(method.getName())) {
                    System.out.println(method.getName() + "\t" + cause.getMessage());
                }
            }
        }
    }

    static Object zero(Class<?> type) {
        if (type == int.class) return 0;
        if (type == long.class) return 0L;
        if (type == double.class) return 0.0;
        if (type == boolean.class) return false;
        return null;
    }
}
