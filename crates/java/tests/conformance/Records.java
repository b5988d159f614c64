import java.util.*;

/** Records: accessors, equality of every component type, hash codes, compact constructors, statics, interfaces. */
public class Records {
    record Empty() { }

    record Everything(byte b, short s, char c, int i, long l, float f, double d, boolean z, String text, int[] array) { }

    record Range(int low, int high) implements Comparable<Range>, Iterable<Integer> {
        static int made;
        static final Range NONE = new Range(0, 0);

        Range {
            if (low > high) throw new IllegalArgumentException(low + " > " + high);
            made++;
        }

        Range(int high) {
            this(0, high);
        }

        int size() {
            return high - low;
        }

        @Override
        public int compareTo(Range other) {
            return Integer.compare(size(), other.size());
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int at = low;

                @Override
                public boolean hasNext() {
                    return at < high;
                }

                @Override
                public Integer next() {
                    return at++;
                }
            };
        }
    }

    record Pair<A, B>(A first, B second) {
        static <T> Pair<T, T> twin(T t) {
            return new Pair<>(t, t);
        }

        @Override
        public String toString() {
            return "(" + first + ", " + second + ")";
        }
    }

    record Name(String name) {
        @Override
        public String name() {
            return name.toUpperCase(Locale.ROOT);
        }
    }

    record Floating(float f, double d) { }

    public static void main(String[] args) {
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        int[] array = {1};
        Everything e = new Everything((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true, "t", array);
        Everything same = new Everything((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true, "t", array);
        Everything other = new Everything((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true, "t", new int[] {1});
        System.out.println(e.equals(same) + " " + e.equals(other) + " " + (e.hashCode() == same.hashCode()) + " " + e.equals(null));
        System.out.println(e.toString().replaceAll("\\[I@.*", "array"));
        System.out.println(new Range(3, 9) + " " + new Range(3, 9).hashCode() + " " + new Range(4).size() + " " + Range.NONE);
        int sum = 0;
        for (int n : new Range(1, 5)) sum += n;
        System.out.println(sum + " " + Range.made + " " + Collections.max(List.of(new Range(3), new Range(5, 6))));
        try {
            new Range(2, 1);
        } catch (IllegalArgumentException x) {
            System.out.println(x.getMessage() + " " + Range.made);
        }
        System.out.println(Pair.twin("x") + " " + new Pair<>(1, null).equals(new Pair<>(1, null)) + " " + new Pair<>(1, null).hashCode());
        System.out.println(new Pair<>(null, null).hashCode() + " " + new Pair<>("a", 2).hashCode() + " " + new Pair<>(1, 2L).equals(new Pair<>(1, 2)));
        System.out.println(new Name("low").name() + " " + new Name("low") + " " + new Name("low").equals(new Name("LOW")));
        System.out.println(new Floating(0f, Double.NaN).equals(new Floating(0f, Double.NaN)) + " "
                + new Floating(0f, 0d).equals(new Floating(-0f, 0d)) + " " + new Floating(1.5f, -2.5).hashCode());
        Map<Range, String> map = new HashMap<>();
        map.put(new Range(1, 2), "one");
        System.out.println(map.get(new Range(1, 2)) + " " + map.get(new Range(1, 3)));
        record Local(Set<String> tags) {
            Local(Set<String> tags) {
                this.tags = Set.copyOf(tags);
            }
        }
        System.out.println(new Local(new HashSet<>(List.of("t"))));
        for (var c : Everything.class.getRecordComponents()) System.out.print(c.getType().getSimpleName() + " " + c.getName() + ", ");
        System.out.println(Everything.class.isRecord() + " " + new Empty().getClass().getSuperclass());
    }
}
