import com.google.common.base.*;
import com.google.common.base.Optional;
import com.google.common.collect.*;
import com.google.common.hash.Hashing;
import com.google.common.primitives.Ints;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Guava: immutable collections, multimaps, tables, ranges, ordering, strings, hashing. */
public class GuavaCollections {
    public static void main(String[] args) {
        ImmutableList<String> list = ImmutableList.of("c", "a", "b");
        System.out.println(list + " " + list.reverse() + " " + ImmutableSortedSet.copyOf(list) + " " + ImmutableMap.of("k", 1, "l", 2) + " " + ImmutableSet.of(3, 1, 3, 2));
        try {
            list.add("d");
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        try {
            ImmutableMap.builder().put("a", 1).put("a", 2).build();
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Multimap<String, Integer> multimap = ArrayListMultimap.create();
        for (String w : "one two three one two one".split(" ")) multimap.put(w, w.length() + multimap.size());
        System.out.println(new TreeMap<>(multimap.asMap()) + " " + multimap.size() + " " + multimap.get("one") + " " + multimap.remove("two", 4));
        Multiset<String> counts = TreeMultiset.create(Arrays.asList("x", "y", "x", "z", "x"));
        System.out.println(counts + " " + counts.count("x") + " " + counts.elementSet());
        BiMap<String, Integer> bimap = HashBiMap.create();
        bimap.put("one", 1);
        System.out.println(bimap.inverse().get(1) + " " + bimap.forcePut("uno", 1) + " " + bimap);
        Table<Integer, String, Double> table = TreeBasedTable.create();
        table.put(1, "a", 1.5);
        table.put(2, "b", 2.5);
        table.put(1, "b", 3.5);
        System.out.println(table + " " + table.row(1) + " " + table.column("b") + " " + table.cellSet().size());
        RangeMap<Integer, String> ranges = TreeRangeMap.create();
        ranges.put(Range.closedOpen(0, 10), "low");
        ranges.put(Range.atLeast(5), "high");
        System.out.println(ranges + " " + ranges.get(4) + ranges.get(5) + " " + Range.open(1, 5).intersection(Range.closed(3, 9)) + " " + ContiguousSet.create(Range.closed(1, 4), DiscreteDomain.integers()));
        System.out.println(Lists.partition(Ints.asList(1, 2, 3, 4, 5), 2) + " " + Lists.transform(list, s -> s + s) + " " + Sets.powerSet(ImmutableSet.of(1, 2)).size() + " " + Sets.cartesianProduct(ImmutableSet.of(1, 2), ImmutableSet.of(3)) + " " + Collections2.permutations(list).size());
        System.out.println(Ordering.natural().reverse().sortedCopy(list) + " " + Ordering.natural().nullsFirst().sortedCopy(Arrays.asList("b", null, "a")) + " " + Iterables.getLast(list) + " " + Iterables.concat(list, ImmutableList.of("z")) + " " + FluentIterable.from(list).filter(s -> !s.equals("a")).join(Joiner.on('+')));
        System.out.println(Joiner.on(",").skipNulls().join("a", null, "b") + " " + Splitter.on(',').trimResults().omitEmptyStrings().splitToList(" a, ,b,") + " " + Splitter.on(';').withKeyValueSeparator('=').split("k=v;l=w") + " " + CaseFormat.LOWER_CAMEL.to(CaseFormat.UPPER_UNDERSCORE, "camelCase") + " " + Strings.padStart("7", 3, '0') + " " + CharMatcher.inRange('0', '9').retainFrom("a1b2") + " " + Strings.commonPrefix("prefix", "preview"));
        System.out.println(Hashing.murmur3_32_fixed().hashString("text", StandardCharsets.UTF_8) + " " + Hashing.sha256().hashInt(5).toString().substring(0, 16) + " " + Hashing.crc32().hashBytes(new byte[] {1, 2}) + " " + Hashing.consistentHash(12345, 10));
        System.out.println(MoreObjects.toStringHelper("Point").add("x", 1).add("y", null).omitNullValues().toString() + " " + Optional.fromNullable(null).or("default") + " " + ComparisonChain.start().compare(1, 1).compare("a", "b").result());
        try {
            Preconditions.checkArgument(false, "wrong: %s of %s", 1, "two");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Maps.difference(ImmutableMap.of("a", 1, "b", 2), ImmutableMap.of("b", 3, "c", 4)).entriesDiffering().forEach((k, v) -> System.out.println(k + v));
        System.out.println(EvictingQueue.create(2).remainingCapacity() + " " + MinMaxPriorityQueue.create(ImmutableList.of(3, 1, 2)).peekLast() + " " + Multimaps.index(list, String::length) + " " + Streams.zip(list.stream(), list.stream(), String::concat).collect(ImmutableList.toImmutableList()));
    }
}
