import java.lang.reflect.*;
import java.util.*;
import java.util.function.Function;

/** Generics: bridge methods, heap pollution, bounds, wildcards, and generic signatures by reflection. */
public class Generics {
    static abstract class Shape<T extends Number & Comparable<T>> implements Comparable<Shape<T>> {
        T size;
        Map<? super String, ? extends List<T[]>> map;

        abstract T scaled(T by);

        @Override
        public int compareTo(Shape<T> o) {
            return size.compareTo(o.size);
        }
    }

    static class Square extends Shape<Integer> {
        Square(int n) {
            size = n;
        }

        @Override
        Integer scaled(Integer by) {
            return size * by;
        }
    }

    interface Visitor<R, E extends Exception> {
        <T extends R> List<? super T> visit(T[] items, int n) throws E;
    }

    static <T extends Comparable<? super T>> T max(Collection<? extends T> items) {
        Iterator<? extends T> it = items.iterator();
        T best = it.next();
        while (it.hasNext()) {
            T next = it.next();
            if (next.compareTo(best) > 0) best = next;
        }
        return best;
    }

    static <E extends Throwable> void sneaky(Throwable t) throws E {
        @SuppressWarnings("unchecked") E e = (E) t;
        throw e;
    }

    static <A, B, C> Function<A, C> compose(Function<? super A, ? extends B> f, Function<? super B, ? extends C> g) {
        return a -> g.apply(f.apply(a));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Exception {
        Shape<Integer> shape = new Square(3);
        System.out.println(shape.scaled(4) + " " + shape.compareTo(new Square(5)) + " " + max(List.of(new Square(1), new Square(9), new Square(4))).size);
        List<String> bridges = new ArrayList<>();
        for (Class<?> c : new Class<?>[] {Square.class, Shape.class}) for (Method m : c.getDeclaredMethods()) if (m.isBridge()) bridges.add(c.getSimpleName() + "." + m.getName() + Arrays.toString(m.getParameterTypes()) + m.getReturnType().getSimpleName());
        Collections.sort(bridges);
        System.out.println(bridges);
        try {
            ((Shape) shape).scaled(2.5);
        } catch (ClassCastException e) {
            System.out.println("the bridge casts");
        }
        List<String> strings = new ArrayList<>();
        ((List) strings).add(1);
        Object first = ((List) strings).get(0);
        System.out.println(first + " " + strings.size());
        try {
            String s = strings.get(0);
            System.out.println("not reached" + s);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Generics.<RuntimeException>sneaky(new java.io.IOException("sneaky"));
        } catch (Exception e) {
            System.out.println(e);
        }
        System.out.println(compose((String s) -> s.length(), n -> "n" + n).apply("four") + " " + (new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass()));
        System.out.println(Square.class.getGenericSuperclass() + " " + Arrays.toString(Shape.class.getGenericInterfaces()));
        TypeVariable<?> t = Shape.class.getTypeParameters()[0];
        System.out.println(t + " " + Arrays.toString(t.getBounds()) + " " + t.getGenericDeclaration());
        Field map = Shape.class.getDeclaredField("map");
        ParameterizedType type = (ParameterizedType) map.getGenericType();
        System.out.println(type + " " + type.getRawType() + " " + ((WildcardType) type.getActualTypeArguments()[0]).getLowerBounds()[0] + " " + type.getOwnerType());
        Method visit = Visitor.class.getDeclaredMethods()[0];
        System.out.println(visit.toGenericString() + " " + visit.getGenericReturnType() + " " + Arrays.toString(visit.getGenericParameterTypes()) + " " + Arrays.toString(visit.getGenericExceptionTypes()) + " " + (visit.getGenericParameterTypes()[0] instanceof GenericArrayType));
        Type captured = new ArrayList<Map<String, int[]>>() { }.getClass().getGenericSuperclass();
        System.out.println(captured + " " + max(Arrays.asList(3, 8, 5)) + " " + Generics.class.getDeclaredMethod("max", Collection.class).toGenericString());
        System.out.println(Comparable.class.getTypeParameters().length + " " + Map.Entry.class.toGenericString() + " " + Enum.class.getTypeParameters()[0].getBounds()[0]);
    }
}
