import java.text.Normalizer;
import java.util.stream.Collectors;

/** Characters and code points: surrogates, categories, case, digits, normalisation, identifiers. */
public class CharsAndUnicode {
    static String hex(String s) {
        return s.chars().mapToObj(Integer::toHexString).collect(Collectors.joining(" "));
    }

    public static void main(String[] args) {
        String s = "a\u00e9\u20ac\uD83D\uDE00z";
        System.out.println(s.length() + " " + s.codePointCount(0, s.length()) + " " + hex(s) + " " + s.codePoints().boxed().toList());
        System.out.println(s.codePointAt(3) + " " + s.codePointAt(4) + " " + s.codePointBefore(5) + " " + s.offsetByCodePoints(0, 4) + " " + s.indexOf(0x1F600) + " " + s.lastIndexOf('z'));
        System.out.println(Character.isHighSurrogate(s.charAt(3)) + " " + Character.isLowSurrogate(s.charAt(4)) + " " + Character.toCodePoint('\uD83D', '\uDE00') + " " + hex(new String(Character.toChars(0x10FFFF))) + " " + Character.charCount(0x1F600) + " " + Character.isSurrogatePair('a', 'b'));
        int[] points = {'a', 'Z', '5', ' ', '_', '$', '\n', 0xe9, 0x130, 0x3b1, 0x416, 0x5d0, 0x660, 0x2160, 0x4e2d, 0x20ac, 0x301, 0xa0, 0x2028, 0x1F600, 0x1D7D8, 0xD800, 0x10FFFF, 0};
        for (int c : points) {
            System.out.println(Integer.toHexString(c) + " type " + Character.getType(c) + " " + (Character.isLetter(c) ? "L" : "") + (Character.isDigit(c) ? "D" : "") + (Character.isWhitespace(c) ? "W" : "") + (Character.isSpaceChar(c) ? "S" : "")
                    + (Character.isUpperCase(c) ? "U" : "") + (Character.isLowerCase(c) ? "l" : "") + (Character.isTitleCase(c) ? "T" : "") + (Character.isJavaIdentifierStart(c) ? "J" : "") + (Character.isJavaIdentifierPart(c) ? "j" : "") + (Character.isISOControl(c) ? "C" : "")
                    + (Character.isDefined(c) ? "d" : "") + (Character.isMirrored(c) ? "m" : "") + (Character.isIdeographic(c) ? "i" : "") + " " + Integer.toHexString(Character.toUpperCase(c)) + " " + Integer.toHexString(Character.toLowerCase(c)) + " " + Integer.toHexString(Character.toTitleCase(c))
                    + " " + Character.getNumericValue(c) + " " + Character.digit(c, 16) + " " + Character.getDirectionality(c));
        }
        System.out.println(Character.forDigit(11, 16) + " " + Character.digit('z', 36) + " " + Character.digit('9', 8) + " " + Character.MAX_RADIX + " " + (char) 65 + (int) 'A' + (char) ('A' + 1) + " " + Character.compare('a', 'b') + " " + Character.reverseBytes('\u1234') % 256);
        for (Normalizer.Form form : Normalizer.Form.values()) System.out.println(form + " " + hex(Normalizer.normalize("\u00e9\ufb01e\u0301\u2460", form)) + " " + Normalizer.isNormalized("e\u0301", form));
        System.out.println(Character.getName('a') + " | " + Character.getName(0x1F600) + " | " + Character.UnicodeBlock.of(0x416) + " | " + Character.UnicodeScript.of(0x3b1) + " | " + Character.codePointOf("EURO SIGN"));
        System.out.println("\u0130".toLowerCase(java.util.Locale.ROOT).length() + " " + hex("\u1e9e\u00df".toUpperCase(java.util.Locale.ROOT)) + " " + "\uFB01".equalsIgnoreCase("FI") + " " + "\u03a3".equalsIgnoreCase("\u03c2"));
        System.out.println(new StringBuilder().appendCodePoint(0x1F600).reverse().length() + " " + "\uDE00\uD83D".codePointCount(0, 2) + " " + Character.isValidCodePoint(0x110000) + Character.isBmpCodePoint(0xffff) + Character.isSupplementaryCodePoint(0x10000));
        try {
            Character.toChars(0x110000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        char c = 'x';
        c++;
        c += 1;
        System.out.println(c + " " + (c > 'y') + " " + (char) (c & 0xff5f) + " " + Character.valueOf('q').hashCode() + " " + "\t\u000b".isBlank() + " " + '\u0041' + "\101\7".length());
    }
}
