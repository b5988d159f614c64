import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** A program with as many shapes of bytecode as fit a page. */
public class Shapes {
    interface Shape {
        double area();

        default String text() {
            return "area " + area();
        }

        private int hidden() {
            return 1;
        }

        static Shape none() {
            return () -> 0;
        }
    }

    record Circle(double radius) implements Shape {
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    enum Colour {
        RED, GREEN {
            @Override
            Colour next() {
                return RED;
            }
        };

        Colour next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    sealed interface Tree permits Leaf, Node {}

    record Leaf(int value) implements Tree {}

    record Node(Tree left, Tree right) implements Tree {}

    class Member {
        final int captured;

        Member(int value) {
            captured = value + count;
        }

        class Deeper extends Member {
            Deeper(boolean flag) {
                super(flag ? 1 : count > 2 ? 2 : 3);
            }
        }
    }

    int count;
    long[] longs = {1, 2, 3};
    static double[][] grid = new double[2][3];
    static final Object[][][] CUBES = new String[1][][];

    Shapes() {
        this(1);
    }

    Shapes(int count) {
        this.count = count;
    }

    static long mix(int i, long l, float f, double d) {
        l += i;
        l <<= i;
        d -= f * l % 3;
        f = (float) -d;
        i ^= (int) f;
        return f > d ? l & i : d < l ? ~l : (byte) i + (short) l + (char) i;
    }

    long wide(long a, double b) {
        long c = longs[0]++;
        longs[1] += a--;
        double d = grid[0][1] *= b;
        return c = longs[2] = a + (long) d;
    }

    Object merge(int kind) {
        Object result;
        if (kind == 0) {
            result = new ArrayList<String>();
        } else if (kind == 1) {
            result = new Integer[] {1, 2};
        } else if (kind == 2) {
            result = new String[][] {{"a"}};
        } else {
            result = kind > 5 ? (Serializable) "text" : new HashMap<>();
        }
        Comparable<?> comparable = kind == 7 ? "a" : kind == 8 ? Integer.valueOf(3) : null;
        Number number = kind > 3 ? Integer.valueOf(1) : Double.valueOf(2);
        return comparable == null ? result : number.intValue() > 1 ? comparable : number;
    }

    int tries(String text) {
        int state = 0;
        try {
            state = 1;
            try (AutoCloseable first = () -> {}; AutoCloseable second = null) {
                state = text.length();
            }
        } catch (IllegalStateException | NullPointerException e) {
            state = e.getMessage().length();
        } catch (Exception e) {
            throw new RuntimeException(e);
        } finally {
            count += state;
        }
        synchronized (this) {
            for (int i = 0; ; i++) {
                if (i > state) {
                    break;
                }
                synchronized (text) {
                    if (i == 3) {
                        continue;
                    }
                    state -= i;
                }
            }
        }
        return state;
    }

    int switches(String word, Colour colour, int number) {
        int sum = switch (word) {
            case "one" -> 1;
            case "two", "three" -> {
                int inner = number * 2;
                yield inner;
            }
            default -> new StringBuilder(number > 0 ? "a" : "b").length();
        };
        switch (colour) {
            case RED:
                sum++;
            case GREEN:
                sum--;
        }
        switch (number) {
            case -1000000: return 1;
            case 1000000: return 2;
            default: return sum;
        }
    }

    int sum(Tree tree) {
        if (tree instanceof Leaf leaf) {
            return leaf.value();
        }
        return tree instanceof Node node && node.left() != null ? sum(node.left()) + sum(node.right()) : 0;
    }

    <T extends Comparable<T>> T largest(List<? extends T> items) {
        T best = null;
        for (T item : items) {
            if (best == null || item.compareTo(best) > 0) {
                best = item;
            }
        }
        return best;
    }

    static Function<Integer, Function<Integer, Integer>> curried() {
        int[] calls = new int[1];
        return a -> b -> a + b + calls[0]++;
    }

    public static void main(String[] arguments) throws Exception {
        Shapes shapes = new Shapes();
        Member member = shapes.new Member(3);
        Supplier<Shapes> maker = Shapes::new;
        Map<Colour, List<Shape>> map = new HashMap<>();
        map.computeIfAbsent(Colour.GREEN.next(), c -> new ArrayList<>()).add(new Circle(2));
        Comparator<String> order = Comparator.comparing(String::length).thenComparing(String::compareTo);
        assert order.compare("a", "b") < 0 : "order " + member.new Deeper(true).captured;
        System.out.println(new Circle(1) + " " + map + Shape.none().text() + curried().apply(1).apply(2));
        System.out.println(maker.get().switches("one", Colour.RED, 5) + mix(1, 2, 3, 4) + shapes.wide(1, 2));
        System.out.println(shapes.merge(4) + "" + shapes.tries("xyz") + shapes.sum(new Node(new Leaf(1), new Leaf(2))));
        int[] copy = arguments.length == 0 ? new int[3] : new int[] {1}.clone();
        do {
            copy[0] += copy.length;
        } while (copy[0] < 10);
    }
}
