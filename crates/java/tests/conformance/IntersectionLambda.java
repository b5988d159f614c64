import java.util.Comparator;
import java.util.List;
import java.util.function.*;

/** Lambdas of intersection types and of interfaces with bridges, defaults and generic overrides. */
public class IntersectionLambda {
    interface Marker { }

    interface Named {
        default String title() {
            return "named " + getClass().getInterfaces().length;
        }
    }

    interface Source<T> {
        T get();
    }

    interface StringSource extends Source<String> {
        @Override
        String get();
    }

    interface Both<T extends Comparable<T>> extends Comparator<T>, BinaryOperator<T> {
        @Override
        int compare(T a, T b);

        @Override
        default T apply(T a, T b) {
            return compare(a, b) <= 0 ? a : b;
        }
    }

    static <T extends Runnable & Named & Marker> String use(T t) {
        t.run();
        return t.title() + " " + (t instanceof Marker);
    }

    static <T extends Supplier<String> & Named> String get(T t) {
        return t.get() + " " + t.title();
    }

    public static void main(String[] args) {
        Runnable r = (Runnable & Named & Marker) () -> System.out.println("running");
        r.run();
        System.out.println((r instanceof Named) + " " + (r instanceof Marker) + " " + ((Named) r).title());
        System.out.println(use((Runnable & Named & Marker) () -> System.out.println("used")));
        System.out.println(get((Supplier<String> & Named) () -> "supplied"));
        StringSource strings = () -> "bridged";
        Source<String> source = strings;
        Source<?> raw = strings;
        System.out.println(strings.get() + " " + source.get() + " " + raw.get());
        Both<Integer> both = (a, b) -> Integer.compare(b, a);
        System.out.println(both.apply(3, 5) + " " + both.reversed().compare(3, 5));
        System.out.println(List.of(4, 9, 2).stream().sorted(both).toList() + " " + List.of(4, 9, 2).stream().reduce(both).get());
        Object o = (IntSupplier & Marker) () -> 5;
        System.out.println(((IntSupplier) o).getAsInt() + " " + (o instanceof Marker) + " " + (o instanceof Named));
        try {
            Named n = (Named) o;
            System.out.println("not reached " + n);
        } catch (ClassCastException e) {
            System.out.println("ClassCastException");
        }
        for (Class<?> i : r.getClass().getInterfaces()) System.out.print(i.getSimpleName() + " ");
        System.out.println();
        Function<Object, Object> contravariant = Object::toString;
        Function<? super Integer, ? extends Object> view = contravariant;
        System.out.println(view.apply(12));
    }
}
