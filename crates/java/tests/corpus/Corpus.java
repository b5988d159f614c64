import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The sources of the class files beside this file, from which the fuzzer starts: `javac -g:none -d classfile
 * Corpus.java`, and Locals again with `-g`. They are small, so that mutations meet what matters.
 */
public class Corpus {
    static int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            for (long j = i; j > 0; j -= 2) {
                sum += j % 3 == 0 ? 1 : -1;
            }
        }
        return sum;
    }

    static Object tries(Object[] a, int[][] b, double d) {
        try {
            synchronized (a) {
                a[b[0].length] = d > 1 ? "x" : Integer.valueOf(3);
            }
            return new StringBuilder(a[0] == null ? "null" : a.toString());
        } catch (ArrayStoreException | ClassCastException e) {
            return e;
        } finally {
            b[1] = new int[] {1, 2};
        }
    }
}

class Fields {
    int number = 1;
    long wide;
    static Fields it;
    final Fields next;
    byte[] bytes = new byte[3];

    Fields(Fields next) {
        this.next = next;
        wide += number;
        bytes[1] = (byte) wide;
    }

    Fields(boolean flag) {
        this(flag ? it : new Fields(it.next));
    }
}

class Switches {
    static int dense(int n) {
        switch (n) {
            case 1: return 5;
            case 2: n++;
            case 4: return n;
            default: return -1;
        }
    }

    static int sparse(String s) {
        return switch (s) {
            case "a" -> 1;
            case "bb" -> 2;
            default -> 3;
        };
    }
}

interface Faces<T extends Comparable<T>> {
    T pick(T a, T b);

    default Faces<T> other() {
        return (a, b) -> pick(b, a);
    }

    static <T extends Comparable<T>> Faces<T> largest() {
        return (a, b) -> a.compareTo(b) > 0 ? a : b;
    }
}

record Pairs(int a, String b) {
    String text() {
        Supplier<String> first = () -> b + a;
        Function<Integer, int[][]> second = int[][]::new;
        return first.get() + second.apply(3).length + new Object() {
            int inner = a;
        }.inner;
    }
}

enum Kinds {
    ONE, TWO;

    static double mix(int i, long l, float f, double d) {
        return (i << 3 ^ (int) l) * (f - (float) d) + (double) (l >>> i & ~l) % (char) i;
    }
}

class Locals {
    static long named(int first, long[] second, Object third) {
        long result = 0;
        if (third instanceof String text && text.length() > first) {
            float[] inner = {1, 2};
            result = second[first] += (long) inner[0];
        }
        double[][] grid = new double[2][3];
        grid[1][2]++;
        assert result > 0 : "result";
        return result;
    }
}
