import java.nio.charset.StandardCharsets;
import java.util.*;

/** UUIDs from names, bits and text: fields, order, versions, errors. */
public class Uuids {
    public static void main(String[] args) {
        UUID named = UUID.nameUUIDFromBytes("conformance".getBytes(StandardCharsets.UTF_8));
        System.out.println(named + " " + named.version() + " " + named.variant() + " " + named.hashCode() + " " + UUID.nameUUIDFromBytes(new byte[0]));
        UUID bits = new UUID(0x0123456789abcdefL, 0x8edcba9876543210L);
        System.out.println(bits + " " + bits.getMostSignificantBits() + " " + bits.getLeastSignificantBits() + " " + bits.version() + " " + bits.variant());
        UUID time = UUID.fromString("c232ab00-9414-11ec-b3c8-9f6bdeced846");
        System.out.println(time.version() + " " + time.timestamp() + " " + time.clockSequence() + " " + time.node() + " " + time.equals(UUID.fromString("C232AB00-9414-11EC-B3C8-9F6BDECED846")));
        System.out.println(UUID.fromString("1-2-3-4-5") + " " + new UUID(0, 0) + " " + new UUID(-1, -1) + " " + new UUID(0, 1).compareTo(new UUID(0, -1)) + " " + named.compareTo(named));
        for (String bad : new String[] {"", "1-2-3-4", "x-2-3-4-5", "1-2-3-4-5-6", "c232ab00941411ecb3c89f6bdeced846"}) {
            try {
                System.out.println(UUID.fromString(bad));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        try {
            bits.timestamp();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        TreeSet<UUID> sorted = new TreeSet<>();
        Random r = new Random(3);
        for (int i = 0; i < 5; i++) sorted.add(new UUID(r.nextLong(), r.nextLong()));
        System.out.println(sorted);
        Set<UUID> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) seen.add(UUID.nameUUIDFromBytes(new byte[] {(byte) i}));
        System.out.println(seen.size());
    }
}
