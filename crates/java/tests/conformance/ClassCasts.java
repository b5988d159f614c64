import java.util.*;
import java.util.function.Supplier;

/** Casts and instanceof between classes, interfaces and arrays, and the messages of failed ones. */
public class ClassCasts {
    interface Animal { }

    static class Dog implements Animal { }

    static final class Cat implements Animal, Cloneable { }

    static void attempt(String what, Supplier<Object> s) {
        try {
            Object o = s.get();
            System.out.println(what + ": fine " + (o == null ? "null" : o.getClass().getSimpleName()));
        } catch (ClassCastException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    @SuppressWarnings("unchecked")
    static <T> T unchecked(Object o) {
        return (T) o;
    }

    static String kinds(Object o) {
        return (o instanceof Object ? "O" : "-") + (o instanceof Animal ? "A" : "-") + (o instanceof Dog ? "D" : "-") + (o instanceof Comparable ? "C" : "-") + (o instanceof Cloneable ? "L" : "-")
                + (o instanceof java.io.Serializable ? "S" : "-") + (o instanceof Object[] ? "[" : "-") + (o instanceof int[] ? "i" : "-") + (o instanceof Object[][] ? "[[" : "--") + (o instanceof Animal[] ? "a" : "-")
                + (o instanceof Number ? "N" : "-") + (o instanceof CharSequence ? "Q" : "-");
    }

    public static void main(String[] args) {
        Object[] all = {null, new Object(), new Dog(), new Cat(), "text", 1, 2.5, 'c', new int[0], new int[0][0], new String[0], new Dog[0], new Animal[0][0], new ArrayList<>(), Thread.State.NEW, ClassCasts.class};
        for (Object o : all) System.out.println((o == null ? "null" : o.getClass().getSimpleName()) + " " + kinds(o));
        Object dog = new Dog(), text = "text", ints = new int[1], dogs = new Dog[1];
        attempt("own to own", () -> (Cat) dog);
        attempt("own to platform", () -> (String) dog);
        attempt("platform to own", () -> (Dog) text);
        attempt("platform to platform", () -> (Integer) text);
        attempt("to interface", () -> (Animal) text);
        attempt("to own interface", () -> (Runnable) dog);
        attempt("array to class", () -> (String) ints);
        attempt("array to array", () -> (long[]) ints);
        attempt("array to objects", () -> (Object[]) ints);
        attempt("own array", () -> (Cat[]) dogs);
        attempt("own array to platform", () -> (String[]) dogs);
        attempt("class to array", () -> (Dog[]) dog);
        attempt("covariant", () -> (Animal[]) dogs);
        attempt("array of arrays", () -> (Object[]) new int[2][2]);
        attempt("null", () -> (Dog) null);
        attempt("cast of class", () -> Dog.class.cast("x"));
        attempt("subclass", () -> String.class.asSubclass(Number.class));
        attempt("unchecked and unused", () -> ClassCasts.<Dog>unchecked("x"));
        attempt("unchecked and used", () -> {
            Dog d = unchecked("x");
            return d;
        });
        attempt("generic array", () -> {
            Object[] objects = new Object[1];
            String[] strings = unchecked(objects);
            return strings;
        });
        attempt("enum", () -> (Thread.State) (Object) RetentionLike.A);
        attempt("boxed", () -> (long) (Object) 1);
        attempt("boxed right", () -> (long) (int) (Object) 1);
        attempt("comparable", () -> new TreeSet<Object>(List.of(1, "a")));
        Object lambda = (Runnable) () -> { };
        System.out.println((lambda instanceof Runnable) + " " + (lambda instanceof Animal) + " " + (new Dog[0] instanceof Animal[]) + " " + (((Object) new Animal[0]) instanceof Dog[]));
    }

    enum RetentionLike { A }
}
