import java.util.*;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/** Copy-on-write collections: snapshots, unsupported iterator changes, atomic addIfAbsent, concurrent adds. */
public class CopyOnWrite {
    public static void main(String[] args) throws Exception {
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        StringBuilder seen = new StringBuilder();
        for (int n : list) {
            list.add(n * 10);
            seen.append(n).append(' ');
        }
        System.out.println(seen + "" + list);
        Iterator<Integer> it = list.iterator();
        it.next();
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println("an iterator removes nothing");
        }
        ListIterator<Integer> li = list.listIterator(2);
        System.out.println(li.next() + " " + li.previous() + " " + li.nextIndex());
        try {
            li.set(1);
        } catch (UnsupportedOperationException e) {
            System.out.println("nor sets");
        }
        System.out.println(list.addIfAbsent(2) + " " + list.addIfAbsent(99) + " " + list.addAllAbsent(List.of(2, 100, 100)) + " " + list);
        list.removeIf(n -> n % 2 == 1);
        list.replaceAll(n -> n + 1);
        list.sort(Comparator.reverseOrder());
        System.out.println(list + " " + list.indexOf(3) + " " + list.remove(0) + " " + list.remove((Integer) 3) + " " + list.set(0, 7) + list);
        List<Integer> sub = list.subList(0, 2);
        System.out.println(sub);
        list.add(5);
        try {
            System.out.println(sub.size());
        } catch (ConcurrentModificationException e) {
            System.out.println("the sublist is stale");
        }
        CopyOnWriteArraySet<String> set = new CopyOnWriteArraySet<>();
        System.out.println(set.add("x") + " " + set.add("x") + " " + set.addAll(List.of("y", "x", "z")) + " " + set + set.contains("y"));
        CopyOnWriteArrayList<Integer> shared = new CopyOnWriteArrayList<>();
        CopyOnWriteArraySet<Integer> distinct = new CopyOnWriteArraySet<>();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 50; n++) {
                    shared.add(me * 50 + n);
                    distinct.add(n);
                    int sum = 0;
                    for (int v : shared) sum += v;
                    assert sum >= 0;
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        List<Integer> sorted = new ArrayList<>(shared);
        Collections.sort(sorted);
        System.out.println(shared.size() + " " + sorted.get(0) + " " + sorted.get(199) + " " + distinct.size());
        System.out.println(list.equals(new ArrayList<>(list)) + " " + list.hashCode() + " " + Arrays.toString(list.toArray(new Integer[0])));
    }
}
