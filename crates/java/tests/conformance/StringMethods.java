import java.util.Arrays;
import java.util.Locale;

/** The methods of String: searching, splitting, stripping, comparing, replacing, interning. */
public class StringMethods {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        String s = "The quick brown fox jumps over the lazy dog";
        System.out.println(s.length() + " " + s.indexOf("o") + s.indexOf('o', 13) + s.lastIndexOf("o") + s.indexOf("zz") + s.indexOf("") + " "
                + s.contains("fox") + s.startsWith("quick", 4) + s.endsWith("dog") + " " + s.charAt(4) + s.codePointAt(5));
        System.out.println(s.substring(4, 9) + "|" + s.substring(40) + "|" + s.substring(s.length()) + "|" + s.subSequence(0, 3));
        System.out.println(s.replace('o', '0') + " " + "aaa".replace("aa", "b") + " " + "abc".replace("", "-") + " " + "a.b.c".replaceAll(".", "x")
                + " " + "a1b22".replaceAll("[0-9]+", "<$0>") + " " + "a1b2".replaceFirst("\\d", "#"));
        for (String sep : new String[] {" ", "", ",", "\\s*,\\s*"}) {
            System.out.println(Arrays.toString("a, b,,c , ,".split(sep)) + " " + "a, b,,c , ,".split(sep, -1).length + " "
                    + Arrays.toString("a, b,,c , ,".split(sep, 2)));
        }
        System.out.println("[" + "  \t x y \n".trim() + "] [" + "\u2003x\u2003".strip() + "] [" + "  x ".stripLeading() + "] [" + "  x ".stripTrailing() + "] "
                + " \t".isBlank() + "".isEmpty());
        System.out.println("apple".compareTo("apricot") + " " + "a".compareTo("abc") + " " + "B".compareToIgnoreCase("a") + " " + "straße".equalsIgnoreCase("STRASSE")
                + " " + "Éa".equalsIgnoreCase("éA") + " " + "x".equals(null) + " " + "abc".contentEquals(new StringBuffer("abc")));
        System.out.println("MiXed".toUpperCase(Locale.ROOT) + "MiXed".toLowerCase(Locale.ROOT) + " " + "ß".toUpperCase(Locale.ROOT) + " " + "İ".toLowerCase(Locale.ROOT).length()
                + " " + "ΑΣ".toLowerCase(Locale.ROOT).codePointAt(1) + " " + "I".toLowerCase(new Locale("tr")).codePointAt(0));
        System.out.println("ab".repeat(3) + " " + String.join("-", "x", "y", "z") + " " + String.valueOf(new char[] {'o', 'k'}) + " " + String.copyValueOf(new char[] {'a', 'b', 'c'}, 1, 2)
                + " " + "abc".chars().map(c -> c - 'a').boxed().toList() + " " + "a\nb\n".lines().count());
        System.out.println(new String("lit") == "lit" ? "same" : "different");
        System.out.println((new String("lit").intern() == "lit") + " " + ("l" + "it" == "lit") + " " + "x".concat("").equals("x"));
        System.out.println("regionMatches".regionMatches(true, 6, "MATCH", 0, 5) + " " + "abc".matches("[a-c]+") + " " + "hello".hashCode() + " " + "".hashCode());
        System.out.println(Arrays.toString("héllo€".getBytes(java.nio.charset.StandardCharsets.UTF_8)) + " " + new String(new byte[] {(byte) 0xc3, (byte) 0xa9}, java.nio.charset.StandardCharsets.UTF_8).length());
        System.out.println(new String(new int[] {0x1F600, 65}, 0, 2).length() + " " + "a\uD83D\uDE00b".codePointCount(0, 4) + " " + "abc".indent(2).length()
                + " " + "x".describeConstable().get() + " " + "abcdef".chars().filter(c -> c > 'c').count());
        attempt("charAt", () -> "abc".charAt(3));
        attempt("substring", () -> "abc".substring(2, 1));
        attempt("substring negative", () -> "abc".substring(-1));
        attempt("substring beyond", () -> "abc".substring(4));
        attempt("codePointAt", () -> "abc".codePointAt(-1));
        attempt("valueOf", () -> String.valueOf((char[]) null));
        attempt("new", () -> new String(new char[2], 1, 2));
        attempt("subSequence", () -> "abc".subSequence(1, 7));
        attempt("join", () -> String.join(null, "a"));
        attempt("bytes", () -> new String(new byte[1], 0, 5));
        char[] chars = "mutable".toCharArray();
        Arrays.sort(chars);
        System.out.println(new String(chars) + " " + "a,b;c".split("[,;]").length + " " + "boo:and:foo".split("o").length + " " + "".split(",").length);
        System.out.println(String.CASE_INSENSITIVE_ORDER.compare("ABC", "abd") + " " + "%d%%".formatted(5) + " " + "tEST".substring(0, 1).toUpperCase(Locale.ROOT));
    }
}
