import java.util.*;
import java.util.stream.Stream;

/** Optional and its primitive forms. */
public class Optionals {
    static int calls;

    static String expensive() {
        calls++;
        return "computed";
    }

    static Optional<Integer> parse(String s) {
        try {
            return Optional.of(Integer.parseInt(s));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        Optional<String> some = Optional.of("value"), none = Optional.empty();
        System.out.println(some + " " + none + " " + some.isPresent() + none.isEmpty() + " " + some.get() + some.orElseThrow());
        System.out.println(some.orElse(expensive()) + " " + some.orElseGet(Optionals::expensive) + " " + none.orElseGet(Optionals::expensive) + " " + calls);
        System.out.println(some.map(String::length) + " " + none.map(String::length) + " " + some.map(s -> (String) null) + " " + some.filter(s -> s.startsWith("v")) + some.filter(String::isEmpty));
        System.out.println(Optional.of("12").flatMap(Optionals::parse).map(n -> n * 2) + " " + Optional.of("x").flatMap(Optionals::parse).or(() -> Optional.of(-1)));
        some.ifPresent(s -> System.out.print("present " + s));
        none.ifPresentOrElse(s -> System.out.println("not reached"), () -> System.out.println(" and absent"));
        System.out.println(Stream.of("1", "b", "3").map(Optionals::parse).flatMap(Optional::stream).mapToInt(n -> n).sum());
        System.out.println(some.equals(Optional.of("value")) + " " + none.equals(Optional.empty()) + " " + some.hashCode() + " " + none.hashCode() + " " + Optional.of(Optional.empty()));
        System.out.println(Optional.ofNullable(null) + " " + OptionalInt.of(5) + " " + OptionalLong.empty() + " " + OptionalDouble.of(1.5).orElse(0) + " " + OptionalInt.empty().orElseGet(() -> 9) + " " + OptionalInt.of(3).stream().sum());
        attempt("get", none::get);
        attempt("of", () -> Optional.of(null));
        attempt("orElseThrow", () -> none.orElseThrow(() -> new IllegalStateException("custom")));
        attempt("int", () -> OptionalInt.empty().getAsInt());
        attempt("flatMap", () -> some.flatMap(s -> null));
        attempt("objects", () -> Objects.requireNonNull(null, "must not be null"));
        attempt("supplier", () -> Objects.requireNonNull(null, () -> "made " + calls));
        attempt("index", () -> Objects.checkIndex(5, 5));
        attempt("range", () -> Objects.checkFromToIndex(2, 1, 5));
        System.out.println(Objects.requireNonNullElse(null, "default") + " " + Objects.equals(null, null) + Objects.equals(null, 1) + " " + Objects.toString(null, "d") + Objects.hashCode(null) + " " + Objects.isNull(null)
                + " " + Objects.compare("a", "b", Comparator.naturalOrder()));
    }
}
