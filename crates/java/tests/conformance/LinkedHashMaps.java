import java.util.*;

/** HashMap and LinkedHashMap: insertion and access order, eviction, colliding keys, nulls, views, resizing. */
public class LinkedHashMaps {
    record Collides(int n) {
        @Override
        public int hashCode() {
            return n % 2;
        }
    }

    public static void main(String[] args) {
        Map<String, Integer> linked = new LinkedHashMap<>();
        for (String s : "z y x w v".split(" ")) linked.put(s, (int) s.charAt(0));
        linked.put("y", 0);
        linked.remove("x");
        linked.put("x", 1);
        System.out.println(linked + " " + linked.keySet() + linked.values());
        LinkedHashMap<String, Integer> lru = new LinkedHashMap<>(4, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                return size() > 3;
            }
        };
        for (String s : "a b c a d b e".split(" ")) {
            lru.merge(s, 1, Integer::sum);
            lru.getOrDefault("a", 0);
        }
        System.out.println(lru + " " + lru.containsKey("c"));
        Map<Object, Object> map = new HashMap<>();
        map.put(null, "null key");
        map.put("null value", null);
        System.out.println(map.get(null) + " " + map.get("null value") + " " + map.containsKey("null value") + map.containsValue(null) + " " + map.getOrDefault("null value", "d") + " "
                + map.putIfAbsent("null value", "now") + " " + map.get("null value") + " " + map.size());
        System.out.println(map.compute("c", (k, v) -> v == null ? 1 : 2) + " " + map.computeIfPresent("absent", (k, v) -> 1) + " " + map.merge("c", 5, (a, b) -> null) + " " + map.containsKey("c"));
        Map<Collides, Integer> tree = new HashMap<>();
        for (int i = 0; i < 200; i++) tree.put(new Collides(i), i);
        for (int i = 0; i < 200; i += 3) tree.remove(new Collides(i));
        int sum = 0;
        for (int v : tree.values()) sum += v;
        System.out.println(tree.size() + " " + sum + " " + tree.get(new Collides(100)) + " " + tree.get(new Collides(99)));
        Map<Integer, Integer> ints = new HashMap<>(2);
        for (int i = 0; i < 100; i++) ints.put(i * 17 % 101, i);
        System.out.println(ints.keySet().iterator().next() + " " + ints.hashCode() + " " + new TreeMap<>(ints).equals(ints));
        Map<String, Integer> strings = new HashMap<>();
        for (String w : "to be or not to be that is the question whether tis nobler in the mind".split(" ")) strings.merge(w, 1, Integer::sum);
        System.out.println(strings);
        Set<String> set = new HashSet<>(strings.keySet());
        set.retainAll(Set.of("to", "be", "mind", "other"));
        System.out.println(set + " " + set.add("be") + set.remove("zz") + " " + new LinkedHashSet<>(List.of(3, 1, 2, 3)));
        Iterator<Map.Entry<String, Integer>> it = linked.entrySet().iterator();
        Map.Entry<String, Integer> e = it.next();
        e.setValue(99);
        it.remove();
        System.out.println(e + " " + linked + " " + Map.entry("k", 1).equals(new AbstractMap.SimpleEntry<>("k", 1)) + " " + Map.entry("k", 1).hashCode());
        linked.entrySet().removeIf(x -> x.getValue() == 0);
        linked.keySet().remove("w");
        linked.values().remove(1);
        System.out.println(linked);
        for (Runnable r : new Runnable[] {() -> {
            for (String k : strings.keySet()) strings.put(k + "2", 1);
        }, () -> Map.of("a", 1).put("b", 2), () -> Map.of("a", 1, "a", 2), () -> Map.of("a", null), () -> Collections.unmodifiableMap(linked).clear(),
            () -> ints.computeIfAbsent(5000, k -> {
                for (int i = 0; i < 1000; i++) ints.put(i, i);
                return 1;
            })}) {
            try {
                r.run();
                System.out.println("fine");
            } catch (RuntimeException x) {
                System.out.println(x.getClass().getSimpleName() + " " + x.getMessage());
            }
        }
        Hashtable<String, Integer> table = new Hashtable<>(Map.of("one", 1));
        table.put("two", 2);
        System.out.println(table.get("two") + " " + table.contains(1) + " " + Collections.list(table.keys()).size());
    }
}
