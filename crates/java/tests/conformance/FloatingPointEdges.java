/** NaN, infinities, signed zeros, subnormals, remainders and conversions of float and double. */
public class FloatingPointEdges {
    static double[] doubles = {0.0, -0.0, 1.0, -1.0, 0.1, 1e308, Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};
    static float[] floats = {0f, -0f, 1f, 0.1f, 16777217f, Float.MIN_VALUE, Float.MAX_VALUE, Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY, Float.NaN};

    public static void main(String[] args) {
        for (double a : doubles) {
            StringBuilder line = new StringBuilder().append(a).append(":");
            for (double b : doubles) {
                line.append(' ').append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ').append(a / b);
                line.append(' ').append(a % b).append(a < b ? '<' : '.').append(a <= b ? 'l' : '.').append(a > b ? '>' : '.');
                line.append(a >= b ? 'g' : '.').append(a == b ? '=' : '.').append(a != b ? '!' : '.');
                line.append(Double.compare(a, b));
            }
            System.out.println(line);
            System.out.println((int) a + " " + (long) a + " " + (float) a + " " + -a + " " + Math.sqrt(a) + " " + Math.rint(a)
                    + " " + Math.floor(a) + " " + Math.ceil(a) + " " + Math.round(a) + " " + Math.ulp(a) + " " + Math.signum(a));
            System.out.println(Long.toHexString(Double.doubleToLongBits(a)) + " " + Double.toHexString(a) + " "
                    + Double.isNaN(a) + Double.isInfinite(a) + " " + Double.hashCode(a) + " " + Math.getExponent(a));
        }
        for (float a : floats) {
            StringBuilder line = new StringBuilder().append(a).append(":");
            for (float b : floats) {
                line.append(' ').append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ').append(a / b);
                line.append(' ').append(a % b).append(!(a < b)).append(!(a >= b)).append(!(a > b)).append(!(a <= b));
            }
            System.out.println(line);
            System.out.println((int) a + " " + (long) a + " " + (double) a + " " + -a + " " + Math.round(a) + " "
                    + Integer.toHexString(Float.floatToIntBits(a)) + " " + Float.toHexString(a));
        }
        System.out.println(Double.NaN == Double.NaN ? "equal" : "unequal");
        System.out.println(Double.valueOf(Double.NaN).equals(Double.NaN) + " " + Double.valueOf(0.0).equals(-0.0));
        System.out.println(Math.min(0.0, -0.0) + " " + Math.max(-0.0, 0.0) + " " + Math.min(Double.NaN, 1) + " " + 5.5 % -2.25);
        System.out.println((float) 1e-46 + " " + (float) 1e39 + " " + (0.1 + 0.2) + " " + 0.1f * 3 + " " + 1.0 / 3 + " " + 1f / 3);
        System.out.println(Double.longBitsToDouble(0x7ff8000000000001L) + " " + Float.intBitsToFloat(1) + " " + 100.0 + " " + 1e7
                + " " + 1e-3 + " " + 9.999e-4 + " " + 123456789.125f);
        System.out.println(Math.fma(2.0, 3.0, 1.0) + " " + Math.nextUp(1.0) + " " + Math.nextDown(0f) + " " + Math.scalb(1.5, 10)
                + " " + Math.IEEEremainder(5, 3) + " " + Math.copySign(3.0, -0.0) + " " + StrictMath.hypot(3, 4));
        for (String text : new String[] {"1e400", "-0", "NaN", " 3.5f ", "0x1.8p1", "4.9e-324", "2.2250738585072014e-308", "1_0", ""}) {
            try {
                System.out.println(text + " -> " + Double.parseDouble(text) + " " + Float.parseFloat(text));
            } catch (NumberFormatException e) {
                System.out.println(text + " -> " + e.getMessage());
            }
        }
    }
}
