import java.util.Arrays;
import java.util.List;

/** Sealed hierarchies and patterns of instanceof: scope, negation, conjunction, generics. */
public class SealedAndPatterns {
    sealed interface Shape permits Circle, Rectangle, Polygon { }

    record Circle(double radius) implements Shape { }

    record Rectangle(double width, double height) implements Shape { }

    static abstract sealed class Polygon implements Shape {
        abstract int sides();

        static final class Triangle extends Polygon {
            @Override
            int sides() {
                return 3;
            }
        }

        static non-sealed class Other extends Polygon {
            @Override
            int sides() {
                return 5;
            }
        }
    }

    static double area(Shape s) {
        if (s instanceof Circle c) {
            return Math.PI * c.radius() * c.radius();
        } else if (s instanceof Rectangle r && r.width() > 0) {
            return r.width() * r.height();
        }
        if (!(s instanceof Polygon p)) {
            return -1;
        }
        return p.sides();
    }

    static String describe(Object o) {
        if (o instanceof Integer i && i > 10) return "large " + (i + 1);
        if (o instanceof Integer i) return "int " + i;
        if (o instanceof String s && !s.isEmpty() && s.charAt(0) == 'a') return "a-word of " + s.length();
        if (o instanceof CharSequence s) return "chars " + s.length();
        if (o instanceof int[] a && a.length > 0) return "ints " + a[0];
        if (o instanceof Object[][] a) return "grid " + a.length;
        if (o instanceof List<?> l && !(l.isEmpty()) && l.get(0) instanceof String first) return "strings from " + first;
        return o == null ? "null" : "other";
    }

    static int loop(Object o) {
        int steps = 0;
        while (!(o instanceof String s)) {
            o = steps++ > 2 ? "end" : (Object) steps;
        }
        return steps * 10 + s.length();
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Circle(1), new Rectangle(2, 3), new Rectangle(0, 3), new Polygon.Triangle(), new Polygon.Other() {
            @Override
            int sides() {
                return 8;
            }
        }};
        for (Shape s : shapes) System.out.println(area(s));
        Object[] all = {5, 50, "apple", "pear", "", new StringBuilder("sb"), new int[] {7}, new int[0], new String[2][3], List.of("x"),
            List.of(1), null, 2L};
        for (Object o : all) System.out.println(describe(o));
        System.out.println(loop(1) + " " + loop("now"));
        System.out.println(Shape.class.isSealed() + " " + Arrays.stream(Shape.class.getPermittedSubclasses()).map(Class::getSimpleName).toList()
                + " " + Polygon.class.isSealed() + " " + Polygon.Other.class.isSealed());
        Object x = 3;
        boolean both = x instanceof Number n && n.intValue() == 3 || x instanceof String;
        System.out.println(both);
    }
}
