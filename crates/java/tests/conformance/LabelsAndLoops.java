/** Loops of every form with labels, break and continue, conditional operators and evaluation order. */
public class LabelsAndLoops {
    static StringBuilder trace = new StringBuilder();

    static int t(int n) {
        trace.append(n).append(' ');
        return n;
    }

    static boolean b(String s, boolean value) {
        trace.append(s).append(' ');
        return value;
    }

    static void flush() {
        System.out.println(trace);
        trace.setLength(0);
    }

    static int find(int[][] grid, int wanted) {
        int steps = 0;
        search:
        for (int[] row : grid) {
            for (int v : row) {
                steps++;
                if (v < 0) continue search;
                if (v == wanted) break search;
            }
        }
        return steps;
    }

    static int collatz(long n) {
        int steps = 0;
        do {
            n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
            steps++;
        } while (n != 1);
        return steps;
    }

    public static void main(String[] args) {
        System.out.println(find(new int[][] {{1, 2}, {-1, 7}, {3, 7, 9}}, 7) + " " + collatz(27) + " " + collatz(837799));
        outer:
        for (int i = 0, j = 10; i < j; i++, j--) {
            int k = 0;
            while (true) {
                if (++k > 3) continue outer;
                if (i == 3) break outer;
                if ((i + k) % 2 == 0) continue;
                t(i * 10 + k);
            }
        }
        flush();
        block: {
            t(1);
            if (trace.length() > 0) break block;
            t(2);
        }
        flush();
        int n = 0;
        do {
            n++;
            if (n == 2) continue;
            if (n == 5) break;
            t(n);
        } while (n < 10);
        flush();
        for (; ; ) {
            if (n-- == 0) break;
        }
        System.out.println(n);
        System.out.println(b("a", false) && b("b", true) || b("c", true) && !b("d", false));
        flush();
        System.out.println((b("e", true) | b("f", false)) + " " + (b("g", false) & b("h", true)) + " " + (b("i", true) ^ b("j", true)));
        flush();
        int x = t(1) + t(2) * t(3) - (t(4) - t(5)) / t(6);
        flush();
        int[] a = new int[5];
        int i = 0;
        a[i] = i = 3;
        a[i++] += i++ * 10 + i;
        a[--i] = a[t(0)] + ++i;
        flush();
        System.out.println(x + " " + java.util.Arrays.toString(a) + " " + i);
        i = i++ + ++i;
        int y = 5;
        y += y++ * 2 + y;
        y ^= y << 1 | 3;
        System.out.println(i + " " + y + " " + (y > 5 ? y > 50 ? "big" : "middle" : "small") + " " + -y % 7 + " " + (byte) ~y + " " + (y >>> 1 >> 1 << 2));
        long fact = 1;
        for (int k = 20; k > 1; fact *= k--) ;
        System.out.println(fact);
        int count = 0;
        for (char c = 'z'; c >= 'a'; c -= 2) count++;
        for (double d = 0; d < 1; d += 0.1) count++;
        for (long l = Long.MAX_VALUE - 2; l > 0; l++) count++;
        System.out.println(count);
        lines:
        for (String s : new String[] {"one", "", "two", "end", "three"}) {
            switch (s) {
                case "": continue lines;
                case "end": break lines;
                default: trace.append(s).append(' ');
            }
        }
        flush();
    }
}
