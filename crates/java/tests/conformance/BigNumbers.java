import java.math.*;

/** BigInteger and BigDecimal: arithmetic, bits, primes, powers, scales, rounding, conversions, errors. */
public class BigNumbers {
    static void attempt(String what, java.util.function.Supplier<Object> s) {
        try {
            System.out.println(what + ": " + s.get());
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        BigInteger factorial = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) factorial = factorial.multiply(BigInteger.valueOf(i));
        System.out.println(factorial + " " + factorial.bitLength() + " " + factorial.getLowestSetBit() + " " + factorial.hashCode());
        BigInteger a = new BigInteger("-123456789012345678901234567890"), b = new BigInteger("ffffffffffffffffffff", 16);
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.remainder(b) + " " + a.mod(b));
        System.out.println(a.shiftLeft(70) + " " + a.shiftRight(40) + " " + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not() + " " + a.andNot(b));
        System.out.println(a.negate().sqrt() + " " + a.pow(3) + " " + a.gcd(b) + " " + a.signum() + " " + a.abs().compareTo(b) + " " + a.toString(36) + " " + a.bitCount());
        System.out.println(BigInteger.TWO.modPow(BigInteger.valueOf(1000), BigInteger.valueOf(1_000_007)) + " " + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11)));
        System.out.println(new BigInteger("1000000007").isProbablePrime(20) + " " + BigInteger.valueOf(1000).nextProbablePrime() + " " + BigInteger.valueOf(561).isProbablePrime(20));
        System.out.println(a.intValue() + " " + a.longValue() + " " + a.doubleValue() + " " + java.util.Arrays.toString(a.toByteArray()) + " " + a.setBit(5).testBit(5));
        BigInteger large = BigInteger.ONE.shiftLeft(4000).subtract(BigInteger.TEN.pow(900));
        System.out.println(large.multiply(large).hashCode() + " " + large.multiply(large).divide(large).equals(large) + " " + large.toString().length() + " " + large.toString().hashCode());
        attempt("exact", () -> a.longValueExact());
        attempt("zero", () -> a.divide(BigInteger.ZERO));
        attempt("text", () -> new BigInteger("12x"));
        attempt("negative modulus", () -> a.mod(BigInteger.valueOf(-5)));

        BigDecimal x = new BigDecimal("10.250"), y = new BigDecimal("-3.7");
        System.out.println(x.add(y) + " " + x.subtract(y) + " " + x.multiply(y) + " " + x.divide(y, 10, RoundingMode.HALF_UP) + " " + x.divide(y, MathContext.DECIMAL32) + " " + x.remainder(y)
                + " " + x.divideToIntegralValue(y) + " " + x.negate() + " " + x.pow(5) + " " + x.scale() + " " + x.precision() + " " + x.unscaledValue());
        System.out.println(x.equals(new BigDecimal("10.25")) + " " + x.compareTo(new BigDecimal("10.25")) + " " + x.stripTrailingZeros() + " " + x.hashCode());
        for (RoundingMode mode : RoundingMode.values()) {
            if (mode == RoundingMode.UNNECESSARY) continue;
            StringBuilder line = new StringBuilder(mode.name());
            for (String v : new String[] {"2.5", "-2.5", "1.1", "-1.1", "5.5", "1.6", "-0.5"}) line.append(' ').append(new BigDecimal(v).setScale(0, mode));
            System.out.println(line);
        }
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("1E+5") + " " + new BigDecimal("1E+5").toPlainString() + " "
                + new BigDecimal("0.000000123") + " " + new BigDecimal("123456.7").toEngineeringString() + " " + new BigDecimal("1e-10").toEngineeringString());
        System.out.println(new BigDecimal("2").sqrt(new MathContext(30)) + " " + new BigDecimal("123.456").round(new MathContext(4)) + " " + new BigDecimal("123.456").movePointLeft(5)
                + " " + new BigDecimal("1.50").add(new BigDecimal("2.5"), MathContext.UNLIMITED) + " " + new BigDecimal("12.34").toBigInteger() + " " + new BigDecimal("1e400").doubleValue());
        attempt("no end", () -> BigDecimal.ONE.divide(new BigDecimal(3)));
        attempt("rounding needed", () -> x.setScale(1, RoundingMode.UNNECESSARY));
        attempt("zero", () -> x.divide(BigDecimal.ZERO));
        attempt("exact", () -> x.intValueExact());
        attempt("NaN", () -> new BigDecimal(Double.NaN));
        BigDecimal e = BigDecimal.ONE, term = BigDecimal.ONE;
        for (int i = 1; i < 40; i++) e = e.add(term = term.divide(BigDecimal.valueOf(i), 50, RoundingMode.HALF_EVEN));
        System.out.println(e);
    }
}
