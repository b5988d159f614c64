import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;

/** Message digests: known answers, updates in pieces, clones, providers, unknown algorithms. */
public class MessageDigests {
    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static void main(String[] args) throws Exception {
        byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);
        for (String algorithm : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA3-256", "MD2"}) {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            System.out.println(algorithm + " " + digest.getDigestLength() + " " + hex(digest.digest()) + " " + hex(digest.digest(abc)));
        }
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] data = new byte[1000];
        for (int i = 0; i < data.length; i++) data[i] = (byte) (i * 7);
        String whole = hex(sha.digest(data));
        sha.update(data, 0, 63);
        sha.update(data[63]);
        MessageDigest branch = (MessageDigest) sha.clone();
        sha.update(java.nio.ByteBuffer.wrap(data, 64, 936));
        System.out.println(whole + " " + hex(sha.digest()).equals(whole) + " " + hex(branch.digest()).equals(hex(sha.digest(Arrays.copyOf(data, 64)))));
        sha.update(abc);
        sha.reset();
        System.out.println(hex(sha.digest()).startsWith("e3b0c442"));
        System.out.println(MessageDigest.isEqual(abc, "abc".getBytes()) + " " + MessageDigest.isEqual(abc, "abd".getBytes()) + " " + sha.getAlgorithm() + " " + sha.getProvider().getName());
        try {
            MessageDigest.getInstance("NOPE");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        DigestInputStream in = new DigestInputStream(new java.io.ByteArrayInputStream(abc), MessageDigest.getInstance("MD5"));
        in.readAllBytes();
        System.out.println(hex(in.getMessageDigest().digest()));
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(abc);
        System.out.println(Long.toHexString(crc.getValue()));
    }
}
