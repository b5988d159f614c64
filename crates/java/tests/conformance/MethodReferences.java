import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Method references of every kind: static, bound, unbound, constructor, array, super, varargs, boxing, inherited. */
public class MethodReferences extends MethodReferencesBase {
    @Override
    String name() {
        return "derived";
    }

    Supplier<String> parents() {
        return super::name;
    }

    Supplier<String> own() {
        return this::name;
    }

    private static int secret(int a, long b) {
        return (int) (a + b);
    }

    static String join(String... parts) {
        return String.join("/", parts);
    }

    static long widen(Long l) {
        return l + 1;
    }

    record Point(int x, int y) {
        Point(int both) {
            this(both, both);
        }
    }

    interface Three<T> {
        String join(T a, T b, T c);
    }

    interface IntLong {
        long apply(int a, int b);
    }

    public static void main(String[] args) {
        MethodReferences m = new MethodReferences();
        System.out.println(m.parents().get() + " " + m.own().get());
        Function<MethodReferencesBase, String> unbound = MethodReferencesBase::name;
        System.out.println(unbound.apply(m) + " " + unbound.apply(new MethodReferencesBase()));
        IntLong hidden = MethodReferences::secret;
        System.out.println(hidden.apply(40, 2));
        Three<String> varargs = MethodReferences::join;
        System.out.println(varargs.join("a", "b", "c"));
        ToLongFunction<Long> unboxes = MethodReferences::widen;
        LongUnaryOperator boxes = MethodReferences::widen;
        System.out.println(unboxes.applyAsLong(1L) + boxes.applyAsLong(10));
        IntFunction<Point> one = Point::new;
        BiFunction<Integer, Integer, Point> two = Point::new;
        System.out.println(one.apply(3) + " " + two.apply(1, 2));
        IntFunction<String[][]> arrays = String[][]::new;
        System.out.println(arrays.apply(4).length + arrays.apply(0).getClass().getName());
        Supplier<Map<String, List<Integer>>> maps = TreeMap::new;
        Map<String, List<Integer>> map = maps.get();
        map.computeIfAbsent("k", k -> new ArrayList<>()).add(1);
        System.out.println(map);
        String text = "bound";
        Supplier<Integer> length = text::length;
        text = "changed later";
        System.out.println(length.get());
        try {
            String none = null;
            Supplier<Integer> fails = none::length;
            System.out.println("not reached" + fails);
        } catch (NullPointerException e) {
            System.out.println("the receiver is checked at once");
        }
        Comparator<Point> byX = Comparator.comparing(Point::x);
        System.out.println(Stream.of(new Point(2, 1), new Point(1, 5), new Point(1, 2))
                .sorted(byX.thenComparing(Point::y, Comparator.reverseOrder())).map(Object::toString).collect(Collectors.joining(";")));
        Function<Object[], List<Object>> list = Arrays::asList;
        System.out.println(list.apply(new Object[] {1, "x"}));
        int[][] grid = {{1, 2}, {3}};
        Function<int[][], int[][]> cloner = int[][]::clone;
        System.out.println(cloner.apply(grid)[0] == grid[0]);
        Consumer<Object> print = System.out::println;
        print.accept("printed");
        BinaryOperator<Integer> max = Math::max;
        BiPredicate<String, String> same = String::equalsIgnoreCase;
        System.out.println(max.apply(3, 9) + " " + same.test("AB", "ab"));
        Runnable discards = m::name;
        discards.run();
        Optional<Supplier<String>> nested = Optional.of(m).map(x -> x::name);
        System.out.println(nested.get().get());
        System.out.println(IntStream.of(3, 1, 2).boxed().sorted(Collections.reverseOrder(Integer::compare)).toList());
    }
}

class MethodReferencesBase {
    String name() {
        return "base";
    }
}
