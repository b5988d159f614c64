import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.*;

/** Parallel streams give the results of sequential ones: order, reduction, sorting, short circuits, collectors. */
public class ParallelStreams {
    public static void main(String[] args) throws Exception {
        System.out.println(IntStream.rangeClosed(1, 1000).parallel().sum() + " " + LongStream.range(0, 500).parallel().filter(n -> n % 3 == 0).count());
        List<Integer> numbers = IntStream.range(0, 200).boxed().collect(Collectors.toList());
        System.out.println(numbers.parallelStream().map(n -> n * n).filter(n -> n % 7 == 1).limit(10).collect(Collectors.toList()));
        System.out.println(numbers.parallelStream().map(String::valueOf).collect(Collectors.joining()).hashCode());
        System.out.println(numbers.parallelStream().reduce(0, Integer::sum) + " " + numbers.parallelStream().reduce(0, (a, n) -> a + n % 10, Integer::sum));
        System.out.println(numbers.parallelStream().sorted(Comparator.reverseOrder()).skip(5).findFirst().get());
        System.out.println(numbers.parallelStream().anyMatch(n -> n == 150) + " " + numbers.parallelStream().allMatch(n -> n < 200) + " "
                + numbers.parallelStream().noneMatch(n -> n < 0));
        StringBuilder ordered = new StringBuilder();
        numbers.parallelStream().filter(n -> n < 12).forEachOrdered(ordered::append);
        System.out.println(ordered);
        LongAdder sum = new LongAdder();
        numbers.parallelStream().forEach(sum::add);
        System.out.println(sum);
        Map<Integer, Long> groups = numbers.parallelStream().collect(Collectors.groupingBy(n -> n % 4, TreeMap::new, Collectors.counting()));
        ConcurrentMap<Boolean, List<Integer>> concurrent = numbers.parallelStream().collect(Collectors.groupingByConcurrent(n -> n % 2 == 0));
        concurrent.values().forEach(Collections::sort);
        System.out.println(groups + " " + concurrent.get(true).subList(0, 4) + " " + concurrent.get(false).size());
        System.out.println(Arrays.stream(new int[] {5, 3, 9, 1}).parallel().sorted().boxed().toList() + " "
                + Stream.of("a", "b", "a", "c").parallel().distinct().toList() + " " + Stream.iterate(1, n -> n * 2).parallel().limit(12).toList());
        int[] prefix = IntStream.rangeClosed(1, 20).toArray();
        Arrays.parallelPrefix(prefix, Integer::sum);
        int[] sorted = new Random(3).ints(9000).toArray();
        int[] copy = sorted.clone();
        Arrays.parallelSort(sorted);
        Arrays.sort(copy);
        int[] squares = new int[10];
        Arrays.parallelSetAll(squares, i -> i * i);
        System.out.println(prefix[19] + " " + Arrays.equals(sorted, copy) + " " + Arrays.toString(squares));
        try {
            numbers.parallelStream().map(n -> 10 / (n - 100)).forEach(n -> { });
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        ForkJoinPool own = new ForkJoinPool(2);
        System.out.println(own.submit(() -> numbers.parallelStream().mapToInt(n -> n).max().getAsInt()).get());
        own.shutdown();
        DoubleSummaryStatistics stats = numbers.parallelStream().mapToDouble(n -> n / 2.0).summaryStatistics();
        System.out.println(stats);
        Set<Integer> set = numbers.parallelStream().map(n -> n % 13).collect(Collectors.toCollection(TreeSet::new));
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        IntStream.range(0, 1000).parallel().forEach(n -> map.merge(n % 10, 1, Integer::sum));
        System.out.println(set + " " + map);
        System.out.println(Stream.of(1, 2, 3).parallel().isParallel() + " " + numbers.parallelStream().sequential().isParallel() + " "
                + numbers.parallelStream().takeWhile(n -> n < 7).mapToInt(n -> n).sum() + " " + numbers.parallelStream().dropWhile(n -> n < 190).toList());
    }
}
