/** Long constants: strings near the limit of the class file's form, with characters of one, two and three bytes, and folding. */
public class LongStrings {
    static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    static final String ROW = ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET;
    static final String PAGE = ROW + ROW + ROW + ROW + ROW + ROW + ROW + ROW + ROW + ROW;
    static final String BOOK = PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE + PAGE;
    static final String MIXED = "\u00e9\u20ac\uD83D\uDE00\0x";
    static final String MANY = MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED + MIXED;
    static final String LONE = "\uD83D" + "a" + "\uDE00";
    static final char SEPARATOR = '\u2028';

    static void show(String name, String s) {
        System.out.println(name + " " + s.length() + " " + s.hashCode() + " " + s.codePointCount(0, s.length()) + " " + s.chars().distinct().count());
    }

    public static void main(String[] args) {
        show("row", ROW);
        show("page", PAGE);
        show("book", BOOK);
        show("many", MANY);
        show("lone", LONE);
        System.out.println((ROW == (ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET + ALPHABET)) + " " + (PAGE.substring(0, 360) == ROW) + " " + (PAGE.substring(0, 360).intern() == ROW));
        System.out.println(BOOK.indexOf("9a", 40_000) + " " + BOOK.lastIndexOf("z0") + " " + BOOK.startsWith(PAGE, 3600) + " " + BOOK.regionMatches(7200, PAGE, 0, 3600));
        String built = ROW.repeat(180);
        System.out.println(built.equals(BOOK) + " " + (built == BOOK) + " " + (built.intern() == BOOK) + " " + built.compareTo(BOOK + "x"));
        StringBuilder reversed = new StringBuilder(BOOK).reverse();
        System.out.println(reversed.toString().hashCode() + " " + reversed.reverse().toString().equals(BOOK));
        System.out.println(BOOK.replace("abc", "").length() + " " + BOOK.split("z").length + " " + (BOOK + MANY).length() + " " + (int) SEPARATOR + " " + BOOK.toUpperCase(java.util.Locale.ROOT).hashCode());
        byte[] utf = (BOOK + MANY).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        System.out.println(utf.length + " " + new String(utf, java.nio.charset.StandardCharsets.UTF_8).equals(BOOK + MANY));
        char[] chars = new char[1 << 20];
        java.util.Arrays.fill(chars, 'q');
        String million = new String(chars);
        System.out.println(million.length() + " " + million.hashCode() + " " + million.concat("w").indexOf('w'));
    }
}
