import java.util.Arrays;

/** Comparisons of long, float and double in every branch form, as conditions and as values. */
public class LongCompare {
    static String relations(long a, long b) {
        return (a < b ? "<" : "") + (a <= b ? "≤" : "") + (a == b ? "=" : "") + (a != b ? "≠" : "") + (a >= b ? "≥" : "")
                + (a > b ? ">" : "");
    }

    static String relations(int a, int b) {
        return (a < b ? "<" : "") + (a <= b ? "≤" : "") + (a == b ? "=" : "") + (a != b ? "≠" : "") + (a >= b ? "≥" : "")
                + (a > b ? ">" : "");
    }

    static int sign(long v) {
        if (v > 0) {
            return 1;
        } else if (v < 0) {
            return -1;
        }
        return 0;
    }

    static int sign(int v) {
        if (v == 0) {
            return 0;
        }
        if (v != 1 && v <= 0) {
            return -1;
        }
        return v >= 1 ? 1 : 99;
    }

    static boolean between(double low, double v, double high) {
        return low <= v && v < high;
    }

    static boolean outside(float low, float v, float high) {
        return v < low || !(v < high);
    }

    public static void main(String[] args) throws Exception {
        System.setOut(new java.io.PrintStream(System.out, true, "UTF-8"));
        long[] longs = {Long.MIN_VALUE, -(1L << 32), -1, 0, 1, 1L << 31, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE};
        for (long a : longs) {
            StringBuilder line = new StringBuilder().append(a).append(' ').append(sign(a));
            for (long b : longs) {
                line.append(' ').append(relations(a, b)).append(Long.compare(a, b));
            }
            System.out.println(line);
        }
        int[] ints = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE};
        for (int a : ints) {
            StringBuilder line = new StringBuilder().append(a).append(' ').append(sign(a));
            for (int b : ints) {
                line.append(' ').append(relations(a, b)).append(Integer.compare(a, b));
            }
            System.out.println(line);
        }
        for (double v : new double[] {-1, 0, 0.5, 1, Double.NaN}) {
            System.out.println(v + " " + between(0, v, 1) + " " + outside(0, (float) v, 1));
        }
        Long[] boxed = {5L, -3L, 1L << 40, Long.MIN_VALUE};
        Arrays.sort(boxed);
        System.out.println(Arrays.toString(boxed) + Arrays.binarySearch(boxed, 5L) + Long.signum(-9L));
        int count = 0;
        for (long i = Integer.MAX_VALUE - 2L; i < Integer.MAX_VALUE + 3L; i++) {
            count++;
        }
        System.out.println(count);
    }
}
