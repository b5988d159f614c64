import java.util.*;

/** Scanner over strings: tokens of every type, delimiters, lines, patterns, mismatches. */
public class ScannerOnString {
    public static void main(String[] args) {
        Scanner s = new Scanner("12 -7 3.5 true word 0x1f 99999999999 1e3\nrest of line\n\nlast").useLocale(Locale.ROOT);
        System.out.println(s.nextInt() + " " + s.nextInt() + " " + s.nextDouble() + " " + s.nextBoolean() + " " + s.next() + " " + s.hasNextInt() + s.next() + " " + s.hasNextInt() + s.hasNextLong() + s.nextLong() + " " + s.nextDouble());
        System.out.println("[" + s.nextLine() + "] [" + s.nextLine() + "] [" + s.nextLine() + "] " + s.hasNextLine() + " [" + s.nextLine() + "] " + s.hasNextLine() + s.hasNext());
        try {
            s.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
        Scanner bad = new Scanner("text 300 7");
        try {
            bad.nextInt();
        } catch (InputMismatchException e) {
            System.out.println(e.getMessage() + " then " + bad.next());
        }
        try {
            bad.nextByte();
        } catch (InputMismatchException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(bad.nextShort() + " " + bad.nextInt(8) + " " + bad.hasNext());
        Scanner csv = new Scanner("a,b;;c , d").useDelimiter("[,;]");
        StringBuilder tokens = new StringBuilder();
        while (csv.hasNext()) tokens.append('<').append(csv.next()).append('>');
        System.out.println(tokens);
        Scanner pattern = new Scanner("key1=value1 key2=value2 end");
        System.out.println(pattern.findInLine("(\\w+)=(\\w+)") + " " + pattern.match().group(2) + " " + pattern.hasNext("key\\d=.*") + pattern.next("key\\d=.*") + " " + pattern.skip("\\s*e").next());
        System.out.println(new Scanner("1,234,567 1.234").useLocale(Locale.US).nextInt() + " " + new Scanner("3.25").useLocale(Locale.ENGLISH).nextDouble() + " " + new Scanner("123456789012345678901").nextBigInteger() + " " + new Scanner("1.50").useLocale(Locale.ROOT).nextBigDecimal());
        Scanner sum = new Scanner("3\n10 20 30\n");
        int n = sum.nextInt(), total = 0;
        while (n-- > 0) total += sum.nextInt();
        System.out.println(total + " " + new Scanner("a b c").tokens().toList() + " " + new Scanner("x1y22").findAll("\\d+").map(m -> m.group()).toList());
        sum.close();
        try {
            sum.nextInt();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        StringTokenizer t = new StringTokenizer("a-b c", "- ", true);
        StringBuilder parts = new StringBuilder().append(t.countTokens());
        while (t.hasMoreTokens()) parts.append('[').append(t.nextToken()).append(']');
        System.out.println(parts);
    }
}
