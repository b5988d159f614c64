import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** BitSet: ranges, logic, searching, conversions; and a sieve. */
public class BitSets {
    public static void main(String[] args) {
        BitSet a = new BitSet(), b = new BitSet(200);
        a.set(1);
        a.set(5, 10);
        a.set(64);
        a.set(130, true);
        a.flip(7);
        b.set(0, 100, true);
        b.clear(20, 60);
        System.out.println(a + " " + a.cardinality() + " " + a.length() + " " + a.size() + " " + b.size() + " " + a.get(64) + a.get(1000));
        System.out.println(a.nextSetBit(10) + " " + a.nextClearBit(5) + " " + a.previousSetBit(129) + " " + a.previousClearBit(9) + " " + a.nextSetBit(131) + " " + a.previousSetBit(0));
        for (String op : "and or xor andNot".split(" ")) {
            BitSet c = (BitSet) a.clone();
            switch (op) {
                case "and" -> c.and(b);
                case "or" -> c.or(b);
                case "xor" -> c.xor(b);
                default -> c.andNot(b);
            }
            System.out.println(op + " " + c.cardinality() + " " + c.hashCode() + " " + c.stream().limit(8).boxed().toList());
        }
        System.out.println(a.intersects(b) + " " + a.get(5, 70) + " " + Arrays.toString(a.toLongArray()) + " " + Arrays.toString(a.toByteArray()));
        System.out.println(BitSet.valueOf(new long[] {5, 1}) + " " + BitSet.valueOf(new byte[] {3, -128}) + " " + a.equals(BitSet.valueOf(a.toLongArray())));
        BitSet composite = new BitSet();
        List<Integer> primes = new ArrayList<>();
        for (int i = 2; i < 200; i++) {
            if (composite.get(i)) continue;
            primes.add(i);
            for (int j = i * i; j < 200; j += i) composite.set(j);
        }
        System.out.println(primes);
        a.clear();
        System.out.println(a.isEmpty() + " " + a + " " + a.length());
        for (Runnable r : new Runnable[] {() -> a.set(-1), () -> a.set(5, 3), () -> new BitSet(-1), () -> a.get(-7)}) {
            try {
                r.run();
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        System.out.println(IntStream.range(0, 64).filter(i -> (0x8000_0001_0000_0101L >>> i & 1) != 0).boxed().collect(Collectors.toList()) + " " + Long.toBinaryString(42));
    }
}
