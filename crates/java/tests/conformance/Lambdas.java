import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.*;

/** Lambdas: captures of every type, this, recursion, currying, generic and primitive function types, identity. */
public class Lambdas {
    private int field = 10;
    private final IntUnaryOperator add = n -> n + field;

    interface Tri<A, B, C, R> {
        R apply(A a, B b, C c);

        default <S> Tri<A, B, C, S> then(Function<? super R, ? extends S> next) {
            return (a, b, c) -> next.apply(apply(a, b, c));
        }
    }

    interface Longs {
        long mix(byte b, short s, char c, int i, long l, float f, double d, boolean z);
    }

    static Supplier<String> captures(byte b, short s, char c, int i, long l, float f, double d, boolean z, Object o, int[] a) {
        return () -> b + " " + s + " " + c + " " + i + " " + l + " " + f + " " + d + " " + z + " " + o + " " + a[0];
    }

    Supplier<Supplier<Integer>> nested(int n) {
        return () -> () -> field + n;
    }

    static <T extends Comparable<T>> BinaryOperator<T> larger() {
        return (x, y) -> x.compareTo(y) >= 0 ? x : y;
    }

    static Runnable stateless() {
        return () -> System.out.println("stateless");
    }

    public static void main(String[] args) throws Exception {
        int[] cell = {1};
        Supplier<String> s = captures((byte) -1, (short) 300, 'x', 7, 1L << 40, 1.5f, -2.25, true, List.of(1), cell);
        cell[0] = 99;
        System.out.println(s.get());
        Lambdas me = new Lambdas();
        Supplier<Integer> inner = me.nested(5).get();
        me.field = 20;
        System.out.println(inner.get() + " " + me.add.applyAsInt(1));
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = a -> b -> c -> a * b + c;
        System.out.println(curried.apply(3).apply(4).apply(5));
        Tri<Integer, String, Double, String> tri = (a, b, c) -> a + b + c;
        System.out.println(tri.then(String::length).then(n -> n * 2).apply(1, "-", 2.0));
        Longs mix = (b, sh, c, i, l, f, d, z) -> b + sh + c + i + l + (long) f + (long) d + (z ? 1 : 0);
        System.out.println(mix.mix((byte) 1, (short) 2, (char) 3, 4, 5L, 6f, 7d, true));
        System.out.println(Lambdas.<String>larger().apply("pear", "apple") + Lambdas.<Integer>larger().apply(3, 8));
        Runnable[] runs = {stateless(), stateless()};
        runs[0].run();
        System.out.println("same instance of a stateless lambda: " + (runs[0] == runs[1]));
        List<Supplier<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int k = i * i;
            all.add(() -> k);
        }
        for (Supplier<Integer> one : all) System.out.print(one.get() + " ");
        System.out.println();
        IntFunction<int[]> make = n -> new int[n];
        ToLongBiFunction<String, Integer> length = (x, n) -> x.length() * (long) n;
        DoubleBinaryOperator pow = Math::pow;
        System.out.println(make.apply(3).length + " " + length.applyAsLong("four", 1 << 30) + " " + pow.applyAsDouble(2, 10));
        Callable<Object> fails = () -> {
            throw new java.io.IOException("from a lambda");
        };
        try {
            fails.call();
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        Predicate<String> p = String::isEmpty;
        System.out.println(p.negate().and(x -> x.length() < 3).or(x -> x.startsWith("z")).test("zebra"));
        UnaryOperator<String> up = String::toUpperCase;
        System.out.println(up.andThen(x -> x + "!").compose((Integer n) -> "n" + n).apply(4) + Function.identity().apply("same"));
        System.out.println(stateless().getClass().isSynthetic() + " " + stateless().getClass().isHidden() + " "
                + stateless().getClass().getInterfaces()[0] + " " + (stateless() instanceof Runnable));
        BiFunction<BiFunction<?, ?, ?>, Integer, Object>[] fact = new BiFunction[1];
        fact[0] = (self, n) -> n <= 1 ? (Object) 1L : (Object) (n * (Long) fact[0].apply(self, n - 1));
        System.out.println(fact[0].apply(fact[0], 15));
    }
}
