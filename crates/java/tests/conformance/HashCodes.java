import java.util.*;

/** Hash codes that are specified: strings, boxes, collections, arrays, records, enums' names, dates; and equality. */
public class HashCodes {
    record Point(int x, double y, String s) { }

    static final class Key {
        final String a;
        final int b;

        Key(String a, int b) {
            this.a = a;
            this.b = b;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Key k && k.a.equals(a) && k.b == b;
        }

        @Override
        public int hashCode() {
            return Objects.hash(a, b);
        }
    }

    public static void main(String[] args) {
        for (String s : new String[] {"", "a", "Aa", "BB", "polygenelubricants", "\u20ac\uD83D\uDE00", "x".repeat(1000)}) System.out.print(s.hashCode() + " ");
        System.out.println();
        System.out.println(Integer.hashCode(-5) + " " + Long.hashCode(1L << 40) + " " + Double.hashCode(0.1) + " " + Double.hashCode(-0.0) + " " + Float.hashCode(Float.NaN) + " " + Boolean.hashCode(true) + " " + Character.hashCode('x') + " " + Byte.hashCode((byte) -1) + " " + Short.hashCode((short) -2));
        System.out.println(List.of(1, 2, 3).hashCode() + " " + Arrays.asList(null, "x").hashCode() + " " + Set.of(1, 2, 3).hashCode() + " " + Map.of("a", 1, "b", 2).hashCode() + " " + new ArrayList<>().hashCode() + " " + new LinkedList<>(List.of("q")).hashCode() + " " + Collections.nCopies(100, 7).hashCode());
        System.out.println(Objects.hash() + " " + Objects.hash((Object) null) + " " + Objects.hash(1, "two", 3.0) + " " + Arrays.hashCode(new int[] {1, 2}) + " " + Arrays.hashCode(new double[] {1.5}) + " " + Arrays.hashCode(new boolean[] {true, false}) + " " + Arrays.hashCode((long[]) null) + " " + Arrays.deepHashCode(new Object[] {new int[] {1}, "x"}));
        System.out.println(new Point(1, 2.5, "s").hashCode() + " " + new Point(0, 0, null).hashCode() + " " + Optional.of("x").hashCode() + " " + Map.entry("k", "v").hashCode() + " " + new AbstractMap.SimpleEntry<>(null, 3).hashCode() + " " + new UUID(1, 2).hashCode());
        System.out.println(java.time.LocalDate.of(2024, 5, 6).hashCode() + " " + java.time.Duration.ofSeconds(5).hashCode() + " " + new java.math.BigInteger("123456789012345").hashCode() + " " + new java.math.BigDecimal("1.50").hashCode() + " " + new BitSet().hashCode() + " " + Locale.ROOT.getLanguage().hashCode());
        Map<Key, String> map = new HashMap<>();
        map.put(new Key("k", 1), "one");
        System.out.println(map.get(new Key("k", 1)) + " " + map.get(new Key("k", 2)) + " " + new Key("k", 1).hashCode());
        List<Object> list = new ArrayList<>();
        list.add(1);
        Set<List<Object>> set = new HashSet<>(List.of(list));
        list.add(2);
        System.out.println(set.contains(list) + " " + set.iterator().next().equals(list));
        System.out.println(List.of(1).equals(new LinkedList<>(List.of(1))) + " " + List.of(1).equals(Set.of(1)) + " " + new TreeSet<>(Set.of(2, 1)).equals(Set.of(1, 2)) + " " + new int[] {1}.equals(new int[] {1}) + " " + new HashMap<>(Map.of(1, 2)).equals(new TreeMap<>(Map.of(1, 2))) + " " + new ArrayDeque<>(List.of(1)).equals(new ArrayDeque<>(List.of(1))));
        HashMap<Object, Integer> order = new HashMap<>();
        for (Object o : new Object[] {"one", 2, 3L, 'c', 5.5, true, List.of(6), new Point(7, 7, "7")}) order.put(o, order.size());
        System.out.println(order);
        HashSet<String> words = new HashSet<>(List.of("the quick brown fox jumps over a lazy dog".split(" ")));
        System.out.println(words + " " + words.hashCode());
        Object o = new Object();
        System.out.println((o.hashCode() == o.hashCode()) + " " + o.equals(o) + " " + (o.toString().equals("java.lang.Object@" + Integer.toHexString(o.hashCode()))));
        String cached = new String(new char[] {'h', 'a', 's', 'h'});
        System.out.println(cached.hashCode() == "hash".hashCode() ? cached.hashCode() : -1);
    }
}
