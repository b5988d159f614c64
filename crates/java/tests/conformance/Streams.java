import java.util.*;
import java.util.stream.*;

/** Streams: laziness, order of evaluation, flat maps, sorting, short circuits, infinite ones, reuse, closing. */
public class Streams {
    public static void main(String[] args) {
        StringBuilder trace = new StringBuilder();
        List<Integer> first = Stream.of(5, 2, 8, 1, 9).peek(n -> trace.append("p").append(n)).filter(n -> n > 1).peek(n -> trace.append("f").append(n)).map(n -> n * 10).limit(2).toList();
        System.out.println(first + " " + trace);
        trace.setLength(0);
        Stream.of("c", "a", "b").peek(trace::append).sorted().peek(s -> trace.append(s.toUpperCase(Locale.ROOT))).anyMatch(s -> s.equals("b"));
        System.out.println(trace);
        System.out.println(Stream.of(List.of(1, 2), List.<Integer>of(), List.of(3)).flatMap(List::stream).map(n -> n + 1).toList() + " " + Stream.of("ab", "c").flatMapToInt(String::chars).sum()
                + " " + Stream.of(1, 2, 3).<String>mapMulti((n, sink) -> {
                    for (int i = 0; i < n; i++) sink.accept("m" + n);
                }).toList());
        System.out.println(Stream.iterate(1, n -> n * 3).limit(6).toList() + " " + Stream.iterate(1, n -> n < 50, n -> n * 2).toList() + " " + IntStream.iterate(10, n -> n - 3).takeWhile(n -> n > 0).boxed().toList()
                + " " + Stream.generate(() -> "g").limit(3).collect(Collectors.joining()));
        System.out.println(IntStream.rangeClosed(1, 5).reduce(1, (a, b) -> a * b) + " " + Stream.of(1, 2, 3).reduce(Integer::sum) + " " + Stream.<Integer>empty().reduce(Integer::sum)
                + " " + Stream.of("a", "bb").reduce(0, (n, s) -> n + s.length(), Integer::sum));
        System.out.println(IntStream.of(3, 1, 2).summaryStatistics() + " " + IntStream.empty().max() + " " + DoubleStream.of(0.1, 0.2, 0.3).sum() + " " + LongStream.rangeClosed(1, 20).reduce(1, (a, b) -> a * b)
                + " " + IntStream.of(1, 2).average().getAsDouble());
        System.out.println(Stream.of("pear", "fig", "apple", "kiwi").sorted(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())).toList() + " "
                + Stream.of(3, 1, 2).sorted(Collections.reverseOrder()).toList() + " " + Stream.of(1, 2, 1, 3, 2).distinct().count());
        System.out.println(Stream.of(1, 2, 3, 4, 5).skip(2).findFirst().get() + " " + Stream.of(1, 2, 3, 4).dropWhile(n -> n < 3).toList() + " " + Stream.of(1, 2).allMatch(n -> n > 0) + Stream.empty().noneMatch(n -> true)
                + " " + Stream.of(4, 9, 2).max(Comparator.naturalOrder()).get() + Stream.of("x", "yy").min(Comparator.comparing(String::length)).get());
        System.out.println(Stream.concat(Stream.of(1), Stream.of(2, 3)).mapToInt(n -> n).asDoubleStream().boxed().toList() + " " + IntStream.range(0, 5).mapToObj(i -> "i" + i).collect(Collectors.toList())
                + " " + Arrays.stream(new String[] {"a", "b", "c"}, 1, 3).toList() + " " + "hello".chars().mapToObj(c -> (char) c).map(String::valueOf).collect(Collectors.joining("-")));
        Stream<Integer> once = Stream.of(1);
        once.count();
        try {
            once.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try (Stream<String> closing = Stream.of("c").onClose(() -> System.out.println("closed one")).onClose(() -> System.out.println("closed two"))) {
            System.out.println(closing.findAny().get());
        }
        List<Integer> source = new ArrayList<>(List.of(1, 2));
        Stream<Integer> late = source.stream();
        source.add(3);
        System.out.println(late.toList() + " late binding");
        try {
            source.stream().forEach(n -> source.add(n));
        } catch (ConcurrentModificationException e) {
            System.out.println("modified " + source.size());
        }
        Iterator<Integer> it = Stream.of(1, 2, 3).filter(n -> n != 2).iterator();
        System.out.println(it.next() + it.next() + " " + it.hasNext() + " " + Arrays.toString(Stream.of("a", "b").toArray(String[]::new)) + " " + Stream.ofNullable(null).count());
        Supplier3 counter = new Supplier3();
        System.out.println(Stream.generate(counter::next).filter(n -> n % 2 == 0).skip(1).limit(3).toList() + " " + counter.n);
        try {
            Stream.of(1, 2).toList().add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("an unmodifiable list");
        }
        System.out.println(IntStream.builder().add(1).add(2).build().sum() + " " + Stream.<String>builder().add("b").build().findFirst().orElse("") + " " + IntStream.range(0, 1000).filter(i -> i % 7 == 0).mapToLong(i -> (long) i * i).sum());
    }

    static class Supplier3 {
        int n;

        int next() {
            return n++;
        }
    }
}
