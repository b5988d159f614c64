import java.util.*;

/** TreeMap and TreeSet: navigation, submap views, comparators, balancing under insertion and removal. */
public class TreeMaps {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (int i = 0; i < 20; i++) map.put((i * 7) % 20, "v" + i);
        for (int i = 0; i < 20; i += 3) map.remove(i);
        System.out.println(map);
        System.out.println(map.firstKey() + " " + map.lastKey() + " " + map.floorKey(9) + " " + map.ceilingKey(9) + " " + map.lowerKey(1) + " " + map.higherKey(19) + " "
                + map.firstEntry() + " " + map.floorEntry(12).getValue());
        NavigableMap<Integer, String> sub = map.subMap(5, true, 14, false);
        System.out.println(sub + " " + sub.size() + " " + sub.descendingMap() + " " + sub.headMap(8) + " " + sub.lastEntry());
        sub.put(6, "new");
        sub.pollFirstEntry();
        System.out.println(map.containsKey(5) + " " + map.get(6) + " " + map.size());
        attempt("outside", () -> sub.put(14, "x"));
        attempt("range", () -> map.subMap(9, 3));
        attempt("null key", () -> map.put(null, "x"));
        attempt("first of none", () -> new TreeMap<>().firstKey());
        attempt("not comparable", () -> new TreeMap<Object, String>().put(new Object(), "x"));
        attempt("mixed", () -> {
            TreeMap<Object, String> m = new TreeMap<>();
            m.put(1, "x");
            m.put("a", "y");
        });
        attempt("entry", () -> map.firstEntry().setValue("no"));
        attempt("modified", () -> {
            for (Integer k : map.keySet()) map.remove(k);
        });
        TreeMap<String, Integer> caseless = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String w : "the Cat THE dog Dog the".split(" ")) caseless.merge(w, 1, Integer::sum);
        System.out.println(caseless + " " + caseless.get("DOG") + " " + caseless.comparator().equals(String.CASE_INSENSITIVE_ORDER));
        TreeMap<String, Integer> nulls = new TreeMap<>(Comparator.nullsFirst(Comparator.<String>naturalOrder()));
        nulls.put("b", 1);
        nulls.put(null, 0);
        System.out.println(nulls + " " + nulls.firstKey());
        TreeSet<Integer> set = new TreeSet<>(List.of(10, 5, 20, 15, 0));
        System.out.println(set + " " + set.floor(12) + set.ceiling(12) + set.lower(0) + set.higher(20) + " " + set.headSet(10, true) + set.tailSet(15) + set.descendingSet() + " " + set.pollFirst() + set.pollLast() + set);
        Iterator<Integer> down = set.descendingIterator();
        down.next();
        down.remove();
        System.out.println(set);
        for (Map.Entry<Integer, String> e : map.entrySet()) if (e.getKey() > 12) e.setValue(e.getValue() + "!");
        map.replaceAll((k, v) -> v + k);
        System.out.println(map.tailMap(12) + " " + map.computeIfAbsent(100, k -> "hundred") + " " + map.compute(100, (k, v) -> null) + " " + map.lastKey());
        TreeMap<Integer, Integer> big = new TreeMap<>();
        Random r = new Random(11);
        for (int i = 0; i < 2000; i++) {
            big.put(r.nextInt(500), i);
            big.remove(r.nextInt(500));
        }
        int previous = -1;
        boolean sorted = true;
        for (int k : big.keySet()) {
            sorted &= k > previous;
            previous = k;
        }
        System.out.println(big.size() + " " + sorted + " " + big.hashCode() + " " + big.equals(new HashMap<>(big)));
    }
}
