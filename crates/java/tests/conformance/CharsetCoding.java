import java.nio.*;
import java.nio.charset.*;
import java.util.Arrays;

/** Charsets: encoding and decoding, malformed and unmappable input, marks of byte order, encoders by hand. */
public class CharsetCoding {
    static String hex(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) out.append(String.format("%02x", b));
        return out.toString();
    }

    static String escape(String s) {
        StringBuilder out = new StringBuilder();
        for (char c : s.toCharArray()) out.append(c < 127 && c >= 32 ? "" + c : String.format("\\u%04x", (int) c));
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        String text = "A\u00e9\u20ac\uD83D\uDE00\uD800!";
        Charset[] all = {StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_16, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE, Charset.forName("UTF-32"), Charset.forName("windows-1252")};
        for (Charset c : all) {
            byte[] bytes = text.getBytes(c);
            System.out.println(c.name() + " " + hex(bytes) + " " + escape(new String(bytes, c)) + " " + c.newEncoder().maxBytesPerChar() + " " + c.canEncode());
        }
        byte[][] malformed = {{(byte) 0xc3}, {(byte) 0xc0, (byte) 0x80}, {(byte) 0xe2, (byte) 0x82}, {(byte) 0xf0, (byte) 0x9f, (byte) 0x98}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xff, 'a'}, {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, {'a', (byte) 0x80, 'b'}};
        for (byte[] bytes : malformed) {
            String lenient = escape(new String(bytes, StandardCharsets.UTF_8));
            String strict;
            try {
                strict = escape(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
            } catch (CharacterCodingException e) {
                strict = e.getClass().getSimpleName() + " " + e.getMessage();
            }
            System.out.println(hex(bytes) + " " + lenient + " " + strict);
        }
        try {
            StandardCharsets.ISO_8859_1.newEncoder().encode(CharBuffer.wrap("\u20ac"));
        } catch (UnmappableCharacterException e) {
            System.out.println(e.getMessage() + " " + e.getInputLength());
        }
        CharsetEncoder encoder = StandardCharsets.US_ASCII.newEncoder().onUnmappableCharacter(CodingErrorAction.REPLACE).replaceWith(new byte[] {'*'});
        System.out.println(StandardCharsets.US_ASCII.decode(encoder.encode(CharBuffer.wrap("n\u00efve"))) + " " + encoder.canEncode('\u00ef') + " " + StandardCharsets.ISO_8859_1.newEncoder().canEncode('\u00ef'));
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap("\u20ac\u20ac".getBytes(StandardCharsets.UTF_8), 0, 4);
        CharBuffer out = CharBuffer.allocate(1);
        System.out.println(decoder.decode(in, out, false) + " " + in.position() + " " + out.position() + " " + decoder.decode(in, CharBuffer.allocate(4), true));
        System.out.println(escape(new String(new byte[] {(byte) 0xff, (byte) 0xfe, 'a', 0}, StandardCharsets.UTF_16)) + " " + escape(new String(new byte[] {0, 'a'}, StandardCharsets.UTF_16)) + " " + escape(new String(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, StandardCharsets.UTF_8)));
        for (String name : new String[] {"utf8", "latin1", "no-such", "bad name"}) {
            try {
                System.out.println(Charset.forName(name).name());
            } catch (IllegalArgumentException e) {
                System.out.println(e);
            }
        }
        try {
            "x".getBytes("nope");
        } catch (java.io.UnsupportedEncodingException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(StandardCharsets.UTF_8.aliases().contains("UTF8") + " " + StandardCharsets.UTF_8.contains(StandardCharsets.US_ASCII) + " " + Charset.isSupported("UTF-16LE") + " " + StandardCharsets.UTF_8.compareTo(StandardCharsets.US_ASCII) + " " + Arrays.equals("abc".getBytes("UTF-8"), "abc".getBytes(StandardCharsets.US_ASCII)));
    }
}
