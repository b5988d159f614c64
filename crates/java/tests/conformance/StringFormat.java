import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;

/** Formatter: conversions, flags, widths, precisions, argument indices, locales and the errors. */
public class StringFormat {
    static void show(String format, Object... args) {
        try {
            System.out.println("[" + String.format(Locale.ROOT, format, args) + "]");
        } catch (RuntimeException e) {
            System.out.println(format + " -> " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    static class Custom implements Formattable {
        @Override
        public void formatTo(Formatter f, int flags, int width, int precision) {
            f.format("custom(%d,%d,%d)", flags, width, precision);
        }
    }

    public static void main(String[] args) {
        show("%d %5d %-5d| %05d %+d %(d %,d %x %X %o %#x", 42, 42, 42, 42, 42, -42, 1234567, 255, 255, 8, 255);
        show("%x %o %d %d %d", (byte) -1, -1L, (short) -5, Long.MIN_VALUE, new BigInteger("123456789012345678901234567890"));
        show("%f %.2f %10.3f %-10.1f| %e %.3E %g %a", 3.14159, 2.675, -1.0, 0.05, 12345.678, 0.00012, 0.0001234, 1.0);
        show("%f %e %g %.0f %,.2f %08.2f %+.1f", Double.NaN, Double.POSITIVE_INFINITY, 1e10, 2.5, 9876543.21, -3.14159, 0.0);
        show("%s %10s %-10s| %.3s %S %s", "text", "right", "left", "truncated", "upper", null);
        show("%b %B %b %c %C %c %h %%  %n", true, "x", null, 'c', 'd', 0x1F600, "hash");
        show("%2$s %1$s %<s %s %s", "a", "b");
        show("%s %s %s", List.of(1, 2), new int[0].length, Map.of("k", 1));
        show("%.3f %10.4f %s", new BigDecimal("1.23456789"), new BigDecimal("-0.00005"), new BigDecimal("1E+3"));
        show("%tY-%<tm-%<td %<tH:%<tM:%<tS %<tB %<tA %<tj", new GregorianCalendar(2024, Calendar.MARCH, 5, 14, 7, 9));
        show("%tF %<tT %<tb %<ta", java.time.LocalDateTime.of(1999, 12, 31, 23, 59, 58));
        show("%s %20s %-#20.5s", new Custom(), new Custom(), new Custom());
        for (String bad : new String[] {"%d", "%q", "%5", "%.2d", "%-d", "%#s", "%+s", "%0d", "%,x", "%c"}) show(bad, "text");
        show("%d", 1.5);
        show("%s %s", "one");
        show("%-05d", 1);
        show("%+ d", 1);
        show("%3$s", "a");
        System.out.println(String.format(Locale.ENGLISH, "%,.2f", 1234567.891) + " " + String.format(Locale.US, "%,d", -1234567));
        System.out.println(String.format("%08X|%8.3e|%-8b|%+,d", 48879, 12345.6789, false, 1000000).toLowerCase(Locale.ROOT));
        StringBuilder out = new StringBuilder();
        try (Formatter f = new Formatter(out, Locale.ENGLISH)) {
            f.format("%d-", 1).format("%s", "x");
        }
        System.out.println(out);
        System.out.printf(Locale.ROOT, "%s=%d%n", "printf", 7);
        System.out.println("%s and %5.1f".formatted("formatted", 2.25) + " " + java.text.MessageFormat.format("{0} is {1}", "a", "b"));
        for (double d : new double[] {0, 1, 0.1, 123456789.123, 1e-7, 1e22, 4.35, 1.005, 99.995}) {
            show("%.0f %.1f %.2f %.5f %g %s", d, d, d, d, d, d);
        }
    }
}
