import java.util.*;
import java.util.function.Function;
import java.util.stream.*;

/** Collectors: grouping, partitioning, joining, mapping, teeing, statistics, maps with merges, one of our own. */
public class CollectorsOfStreams {
    record Sale(String city, String item, int amount, double price) { }

    static void show(Object o) {
        System.out.println(o);
    }

    public static void main(String[] args) {
        List<Sale> sales = List.of(new Sale("Oslo", "hat", 3, 10), new Sale("Rome", "hat", 1, 9.5), new Sale("Oslo", "coat", 2, 80), new Sale("Bern", "shoe", 5, 40), new Sale("Rome", "coat", 4, 75.25));
        show(sales.stream().collect(Collectors.groupingBy(Sale::city, TreeMap::new, Collectors.mapping(Sale::item, Collectors.toList()))));
        show(sales.stream().collect(Collectors.groupingBy(Sale::item, TreeMap::new, Collectors.summingInt(Sale::amount))));
        show(sales.stream().collect(Collectors.partitioningBy(s -> s.amount() > 2, Collectors.counting())));
        show(sales.stream().collect(Collectors.groupingBy(Sale::city, TreeMap::new, Collectors.groupingBy(Sale::item, TreeMap::new, Collectors.averagingDouble(Sale::price)))));
        show(sales.stream().collect(Collectors.toMap(Sale::city, s -> s.amount() * s.price(), Double::sum, LinkedHashMap::new)));
        show(sales.stream().map(Sale::item).collect(Collectors.joining(", ", "<", ">")) + Stream.<String>empty().collect(Collectors.joining(",", "[", "]")));
        show(sales.stream().collect(Collectors.teeing(Collectors.summingInt(Sale::amount), Collectors.averagingInt(Sale::amount), (sum, avg) -> sum + "/" + avg)));
        show(sales.stream().collect(Collectors.summarizingInt(Sale::amount)));
        show(sales.stream().collect(Collectors.maxBy(Comparator.comparingDouble(Sale::price))).map(Sale::city) + " " + Stream.<Sale>empty().collect(Collectors.minBy(Comparator.comparing(Sale::city))));
        show(sales.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size)) + " " + sales.stream().map(Sale::city).collect(Collectors.toCollection(TreeSet::new)));
        show(sales.stream().collect(Collectors.groupingBy(Sale::city, TreeMap::new, Collectors.filtering(s -> s.price() > 20, Collectors.counting()))));
        show(sales.stream().collect(Collectors.groupingBy(Sale::city, TreeMap::new, Collectors.flatMapping(s -> Stream.of(s.item(), s.item().toUpperCase(Locale.ROOT)), Collectors.joining("|")))));
        show(sales.stream().collect(Collectors.reducing(0, Sale::amount, Integer::sum)) + " " + Stream.of(1, 2, 3).collect(Collectors.reducing((a, b) -> a * b)));
        try {
            sales.stream().collect(Collectors.toMap(Sale::city, Sale::item));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            sales.stream().collect(Collectors.toUnmodifiableList()).add(null);
        } catch (UnsupportedOperationException e) {
            System.out.println("unmodifiable");
        }
        Collector<Integer, int[], String> polynomial = Collector.of(() -> new int[1], (acc, n) -> acc[0] = acc[0] * 31 + n, (x, y) -> {
            throw new AssertionError("sequential");
        }, acc -> "hash " + acc[0]);
        System.out.println(Stream.of(1, 2, 3).collect(polynomial) + " " + List.of(1, 2, 3).hashCode());
        System.out.println(Stream.of("x", "y").collect(StringBuilder::new, StringBuilder::append, StringBuilder::append).reverse());
        Map<Boolean, Map<Integer, Set<String>>> nested = Stream.of("a", "bb", "cc", "ddd").collect(Collectors.partitioningBy(s -> s.compareTo("c") < 0, Collectors.groupingBy(String::length, TreeMap::new, Collectors.toCollection(TreeSet::new))));
        System.out.println(nested);
        System.out.println(IntStream.range(0, 20).boxed().collect(Collectors.groupingBy(n -> n % 3 == 0 ? "fizz" : "none", Collectors.mapping(Function.identity(), Collectors.summingLong(n -> n)))));
    }
}
