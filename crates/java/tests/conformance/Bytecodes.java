/** What the other programs may leave out of the instruction set: every array type, conversion, and form of dup. */
public class Bytecodes {
    static byte[] bytes = new byte[3];
    static boolean[] booleans = new boolean[2];
    static short[] shorts = new short[2];
    static char[] chars = new char[2];
    static int[] ints = new int[3];
    static long[] longs = new long[3];
    static float[] floats = new float[2];
    static double[] doubles = new double[2];
    static Object[] objects = new Object[2];
    static long staticLong = 5;
    static int staticInt = 3;
    long fieldLong = 7;
    int fieldInt = 4;
    double fieldDouble = 1.5;
    Object fieldObject = "o";

    static int index() {
        return staticInt++ % 2;
    }

    static long longResult() {
        return 9;
    }

    static Object objectResult() {
        return null;
    }

    static void arrays() {
        bytes[1] = (byte) 300;
        booleans[0] = !booleans[1];
        shorts[1] = (short) (bytes[1] + 70000);
        chars[0] = (char) -2;
        ints[2] = chars[0] + shorts[1];
        longs[0] = ints[2] * 3L;
        floats[1] = longs[0];
        doubles[0] = floats[1] / 7;
        objects[1] = doubles;
        System.out.println(bytes[1] + " " + booleans[0] + " " + shorts[1] + " " + (int) chars[0] + " " + ints[2] + " " + longs[0] + " " + floats[1] + " " + doubles[0] + " " + ((double[]) objects[1]).length);
    }

    void dups() {
        int a = ints[index()]++ + ++ints[index()];
        long b = longs[index()]++ + ++longs[1] + (longs[2] += 5);
        double c = doubles[1]++ + (doubles[0] *= 2);
        float d = floats[0] += 1.5f;
        long e = fieldLong++ + ++fieldLong + (fieldLong <<= 2) + staticLong++ + (staticLong -= 3);
        int f = fieldInt++ + (fieldInt ^= 9) + staticInt-- + (staticInt |= 64);
        double g = fieldDouble-- + (fieldDouble /= 4);
        char h = chars[1]++;
        byte i = bytes[0] -= 5;
        int[] j = ints, k = j;
        long l, m = l = longs[0] = 8;
        Object n = fieldObject = objects[0] = "chain";
        long[] fresh = {1, 2};
        longResult();
        objectResult();
        new Bytecodes();
        System.out.println(a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + (int) h + " " + i + " " + (j == k) + " " + l + m + " " + n + fresh[1]);
    }

    static void conversions(int i, long l, float f, double d) {
        System.out.println((long) i + " " + (float) i + " " + (double) i + " " + (byte) i + " " + (short) i + " " + (int) (char) i);
        System.out.println((int) l + " " + (float) l + " " + (double) l + " | " + (int) f + " " + (long) f + " " + (double) f + " | " + (int) d + " " + (long) d + " " + (float) d);
    }

    static void arithmetic(int i, long l, float f, double d) {
        System.out.println((i + 2) + " " + (i - 2) + " " + i * 2 + " " + i / 2 + " " + i % 2 + " " + -i + " " + (i << 2) + " " + (i >> 1) + " " + (i >>> 1) + " " + (i & 6) + " " + (i | 8) + " " + (i ^ 5) + " " + ~i);
        System.out.println((l + 2) + " " + (l - 2) + " " + l * 2 + " " + l / 2 + " " + l % 2 + " " + -l + " " + (l << i) + " " + (l >> i) + " " + (l >>> i) + " " + (l & 6) + " " + (l | 8) + " " + (l ^ 5) + " " + ~l);
        System.out.println((f + 2) + " " + (f - 2) + " " + f * 2 + " " + f / 2 + " " + f % 2 + " " + -f + " | " + (d + 2) + " " + (d - 2) + " " + d * 2 + " " + d / 2 + " " + d % 2 + " " + -d);
    }

    static String compare(int i, long l, float f, double d, Object o, Object p) {
        String s = "";
        if (i == 0) s += "a";
        if (i != 0) s += "b";
        if (i < 0) s += "c";
        if (i >= 0) s += "d";
        if (i > 0) s += "e";
        if (i <= 0) s += "f";
        int z = 3;
        if (i == z) s += "g";
        if (i != z) s += "h";
        if (i < z) s += "i";
        if (i >= z) s += "j";
        if (i > z) s += "k";
        if (i <= z) s += "l";
        if (l > 2) s += "m";
        if (f < 1.5f) s += "n";
        if (f > 1.5f) s += "o";
        if (d < 1.5) s += "p";
        if (d > 1.5) s += "q";
        if (o == p) s += "r";
        if (o != p) s += "s";
        if (o == null) s += "t";
        if (o != null) s += "u";
        return s;
    }

    static Object returns(int kind) {
        return switch (kind) {
            case 0 -> intOf();
            case 1 -> longResult();
            case 2 -> floatOf();
            case 3 -> doubleOf();
            default -> objectResult();
        };
    }

    static float storeFloats(float a, float b, float c, float d) {
        a = b + c;
        b = a * d;
        c = b - 1;
        d = c / 3;
        return a + b + c + d;
    }

    static double storeEven(double a, double b) {
        a = b + 1;
        b = a * 2;
        return a - b;
    }

    static double storeOdd(int i, double a, double b) {
        a = b + i;
        b = a * 2;
        return a - b;
    }

    static int intOf() {
        return -1;
    }

    static float floatOf() {
        return 2f;
    }

    static double doubleOf() {
        return 1d;
    }

    public static void main(String[] args) {
        arrays();
        new Bytecodes().dups();
        conversions(-70000, (1L << 33) + 5, -3.75f, 1e19);
        arithmetic(7, -7L, 7.5f, -7.5);
        for (int i = -1; i < 5; i += 2) System.out.println(compare(i, i, i, i, i == 1 ? null : "x", "x"));
        for (int k = 0; k < 5; k++) System.out.print(returns(k) + " ");
        System.out.println(new int[2][3][4][1][2].length + new String[1][1].length);
        int[] counts = {0, 1, 2, 3, 4, 5, 100, 1000, 100000, -1};
        long[] l = {0, 1, 2, Long.MAX_VALUE};
        float[] f = {0, 1, 2, 3};
        double[] d = {0, 1, 2};
        System.out.println(counts.length + l.length + f.length + d.length);
        System.out.println(storeFloats(1, 2, 3, 4) + " " + storeEven(1, 2) + " " + storeOdd(3, 1, 2));
        synchronized (args) {
            System.out.println(args instanceof Object[] ? (Object) args.length : null);
        }
    }
}
