/** Addition, multiplication, division and remainder of int and long at their limits. */
public class IntegerArithmetic {
    static int[] ints = {0, 1, -1, 2, -2, 7, -7, 46341, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE};
    static long[] longs = {0, 1, -1, 3, -3, 1L << 32, -(1L << 32), 3037000500L, Long.MAX_VALUE, Long.MIN_VALUE};

    public static void main(String[] args) {
        for (int a : ints) {
            for (int b : ints) {
                System.out.print(a + "," + b + ": " + (a + b) + " " + (a - b) + " " + (a * b) + " " + (a & b) + " " + (a | b)
                        + " " + (a ^ b));
                try {
                    System.out.println(" " + (a / b) + " " + (a % b));
                } catch (ArithmeticException e) {
                    System.out.println(" " + e.getMessage());
                }
            }
            System.out.println(-a + " " + ~a + " " + Math.abs(a) + " " + Integer.bitCount(a) + " "
                    + Integer.numberOfLeadingZeros(a) + " " + Integer.reverse(a) + " " + Integer.reverseBytes(a));
        }
        for (long a : longs) {
            for (long b : longs) {
                System.out.print(a + "," + b + ": " + (a + b) + " " + (a - b) + " " + (a * b) + " " + (a & b) + " " + (a | b)
                        + " " + (a ^ b));
                try {
                    System.out.println(" " + (a / b) + " " + (a % b));
                } catch (ArithmeticException e) {
                    System.out.println(" " + e.getMessage());
                }
            }
            System.out.println(-a + " " + ~a + " " + Math.abs(a) + " " + Long.bitCount(a) + " "
                    + Long.numberOfTrailingZeros(a) + " " + Long.reverse(a) + " " + Long.reverseBytes(a));
        }
        exact();
        unsigned();
    }

    static void exact() {
        Runnable[] all = {
            () -> Math.addExact(Integer.MAX_VALUE, 1),
            () -> Math.multiplyExact(1L << 62, 2L),
            () -> Math.negateExact(Integer.MIN_VALUE),
            () -> Math.toIntExact(1L << 31),
            () -> Math.incrementExact(Long.MAX_VALUE),
        };
        for (Runnable one : all) {
            try {
                one.run();
                System.out.println("no overflow");
            } catch (ArithmeticException e) {
                System.out.println(e);
            }
        }
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.floorMod(7, -2));
        System.out.println(Math.multiplyHigh(Long.MAX_VALUE, Long.MAX_VALUE) + " " + Math.multiplyHigh(-5, 7));
    }

    static void unsigned() {
        System.out.println(Integer.divideUnsigned(-1, 3) + " " + Integer.remainderUnsigned(-1, 7));
        System.out.println(Long.divideUnsigned(-1, 3) + " " + Long.remainderUnsigned(-1, 7));
        System.out.println(Integer.toUnsignedString(-1) + " " + Long.toUnsignedString(-1) + " " + Long.compareUnsigned(1, -1));
        System.out.println(Integer.parseUnsignedInt("4294967295") + " " + Long.parseUnsignedLong("18446744073709551615"));
    }
}
