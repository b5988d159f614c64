import java.nio.charset.StandardCharsets;
import java.util.*;

/** Base64 in its three forms, HexFormat, and their errors. */
public class Base64AndHex {
    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        Base64.Encoder encoder = Base64.getEncoder();
        Base64.Decoder decoder = Base64.getDecoder();
        for (String s : new String[] {"", "f", "fo", "foo", "foob", "fooba", "foobar"}) {
            String e = encoder.encodeToString(s.getBytes(StandardCharsets.US_ASCII));
            System.out.println(s + " " + e + " " + encoder.withoutPadding().encodeToString(s.getBytes(StandardCharsets.US_ASCII)) + " " + new String(decoder.decode(e), StandardCharsets.US_ASCII).equals(s));
        }
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) all[i] = (byte) i;
        String standard = encoder.encodeToString(all), url = Base64.getUrlEncoder().encodeToString(all), mime = Base64.getMimeEncoder().encodeToString(all);
        System.out.println(standard.hashCode() + " " + standard.substring(standard.length() - 12) + " " + url.substring(url.length() - 12) + " " + mime.split("\r\n").length + " " + mime.split("\r\n")[1]);
        System.out.println(Arrays.equals(decoder.decode(standard), all) + " " + Arrays.equals(Base64.getUrlDecoder().decode(url), all) + " " + Arrays.equals(Base64.getMimeDecoder().decode("*" + mime + "\n#"), all));
        attempt(() -> decoder.decode("Zg="));
        attempt(() -> decoder.decode("Z"));
        attempt(() -> decoder.decode("Zm9v\n"));
        attempt(() -> decoder.decode("Zm9-"));
        attempt(() -> decoder.decode("Zg==Zg=="));
        attempt(() -> decoder.decode("Zg"));
        try (var in = decoder.wrap(new java.io.ByteArrayInputStream(standard.getBytes()))) {
            System.out.println(in.readAllBytes().length);
        }
        var out = new java.io.ByteArrayOutputStream();
        try (var wrapped = encoder.wrap(out)) {
            wrapped.write("streamed".getBytes());
        }
        System.out.println(out);
        HexFormat hex = HexFormat.of();
        System.out.println(hex.formatHex(new byte[] {0, 15, -1, 127}) + " " + hex.withUpperCase().withDelimiter(":").formatHex(new byte[] {-85, 1}) + " " + HexFormat.ofDelimiter(", ").withPrefix("0x").formatHex(new byte[] {1, 2}) + " " + Arrays.toString(hex.parseHex("00ff7F")) + " " + hex.toHexDigits((short) 300) + " " + HexFormat.fromHexDigits("cafe"));
        attempt(() -> hex.parseHex("abc"));
        attempt(() -> hex.parseHex("zz"));
        System.out.println(hex.toHexDigits(255L, 4) + " " + HexFormat.isHexDigit('g') + HexFormat.isHexDigit('F'));
    }
}
