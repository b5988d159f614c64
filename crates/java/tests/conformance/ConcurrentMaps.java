import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** ConcurrentHashMap: atomic compound operations, bulk operations, views, resizing, collisions, concurrent use. */
public class ConcurrentMaps {
    record Bad(int n) implements Comparable<Bad> {
        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public int compareTo(Bad other) {
            return Integer.compare(n, other.n);
        }
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        System.out.println(map.put("a", 1) + " " + map.putIfAbsent("a", 2) + " " + map.putIfAbsent("b", 2) + " " + map.replace("a", 1, 10) + " "
                + map.replace("a", 1, 11) + " " + map.remove("b", 9) + " " + map.remove("b", 2) + " " + map);
        System.out.println(map.merge("a", 5, Integer::sum) + " " + map.merge("c", 5, Integer::sum) + " " + map.merge("c", 0, (x, y) -> null) + " "
                + map.compute("d", (k, v) -> v == null ? 1 : v + 1) + " " + map.computeIfPresent("d", (k, v) -> v + 1) + " "
                + map.computeIfAbsent("e", String::length) + " " + map.getOrDefault("zz", -1) + " " + new TreeMap<>(map));
        for (Runnable r : new Runnable[] {() -> map.put(null, 1), () -> map.put("x", null), () -> map.get(null)}) {
            try {
                r.run();
            } catch (NullPointerException e) {
                System.out.println("no nulls");
            }
        }
        try {
            map.computeIfAbsent("r", k -> map.computeIfAbsent("r", j -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        ConcurrentMap<Integer, Integer> shared = new ConcurrentHashMap<>(2);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 400; n++) {
                    shared.merge(n % 100, 1, Integer::sum);
                    shared.put(1000 * (me + 1) + n, n);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        long hundred = shared.entrySet().stream().filter(e -> e.getKey() < 100).mapToInt(Map.Entry::getValue).sum();
        System.out.println(shared.size() + " " + hundred + " " + shared.values().stream().mapToLong(v -> v).sum());
        ConcurrentHashMap<Bad, Integer> tree = new ConcurrentHashMap<>();
        for (int n = 0; n < 100; n++) tree.put(new Bad(n), n);
        for (int n = 0; n < 95; n += 2) tree.remove(new Bad(n));
        System.out.println(tree.size() + " " + tree.get(new Bad(51)) + " " + tree.get(new Bad(50)) + " " + tree.containsKey(new Bad(99)));
        ConcurrentHashMap<Integer, Integer> numbers = new ConcurrentHashMap<>();
        for (int n = 0; n < 50; n++) numbers.put(n, n * n);
        System.out.println(numbers.reduceValues(Long.MAX_VALUE, Integer::sum) + " " + numbers.search(Long.MAX_VALUE, (k, v) -> v == 400 ? k : null) + " "
                + numbers.reduceKeys(1, Math::max) + " " + numbers.mappingCount());
        numbers.keySet().removeIf(k -> k % 7 != 0);
        for (Map.Entry<Integer, Integer> e : numbers.entrySet()) e.setValue(-e.getValue());
        numbers.replaceAll((k, v) -> v + k);
        System.out.println(numbers + " " + numbers.contains(-42) + " " + numbers.equals(new HashMap<>(numbers)));
        Iterator<Integer> it = numbers.keySet().iterator();
        it.next();
        numbers.put(1000, 1);
        it.remove();
        while (it.hasNext()) it.next();
        System.out.println("weakly consistent: " + numbers.containsKey(0) + " " + numbers.size());
        Set<String> set = ConcurrentHashMap.newKeySet();
        System.out.println(set.add("k") + " " + set.add("k") + " " + set);
        numbers.clear();
        System.out.println(numbers.isEmpty() + " " + numbers);
    }
}
