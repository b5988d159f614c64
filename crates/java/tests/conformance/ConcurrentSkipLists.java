import java.util.*;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Skip lists and linked concurrent queues: navigation, ranges, concurrent insertion and removal. */
public class ConcurrentSkipLists {
    static void parallel(Runnable... bodies) throws InterruptedException {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            threads[i] = new Thread(bodies[i]);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    public static void main(String[] args) throws Exception {
        ConcurrentSkipListMap<Integer, String> map = new ConcurrentSkipListMap<>();
        for (int n : new int[] {50, 10, 40, 20, 30}) map.put(n, "v" + n);
        System.out.println(map + " " + map.firstKey() + map.lastEntry() + " " + map.floorKey(35) + map.ceilingKey(35) + map.lowerKey(10) + map.higherKey(50));
        System.out.println(map.headMap(30) + " " + map.tailMap(30, false) + " " + map.subMap(15, true, 40, true).descendingMap());
        System.out.println(map.pollFirstEntry() + " " + map.pollLastEntry() + " " + map.descendingKeySet() + " " + map.merge(20, "+", String::concat));
        System.out.println(map.putIfAbsent(20, "no") + " " + map.replace(30, "v30", "w") + " " + map.computeIfAbsent(5, k -> "five") + " " + map);
        ConcurrentSkipListSet<Integer> set = new ConcurrentSkipListSet<>(Comparator.reverseOrder());
        parallel(() -> fill(set, 0), () -> fill(set, 1), () -> fill(set, 2));
        System.out.println(set.size() + " " + set.first() + " " + set.last() + " " + set.headSet(290) + " " + set.higher(100) + set.lower(100));
        ConcurrentSkipListMap<Integer, Integer> shared = new ConcurrentSkipListMap<>();
        for (int n = 0; n < 300; n++) shared.put(n, n);
        parallel(() -> remove(shared, 0), () -> remove(shared, 1), () -> add(shared));
        System.out.println(shared.size() + " " + shared.firstKey() + " " + shared.lastKey() + " " + shared.keySet().stream().mapToInt(x -> x).sum());
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        parallel(() -> fill(queue, 0), () -> fill(queue, 1));
        int sum = 0, size = queue.size();
        int[] last = {-1, -1};
        boolean ordered = true;
        for (Integer v; (v = queue.poll()) != null; sum += v) {
            ordered &= v > last[v % 3];
            last[v % 3] = v;
        }
        System.out.println(size + " " + sum + " each producer's order kept: " + ordered + " " + queue.isEmpty() + queue.peek());
        ConcurrentLinkedDeque<String> deque = new ConcurrentLinkedDeque<>(List.of("b", "c"));
        deque.addFirst("a");
        deque.offerLast("d");
        System.out.println(deque + " " + deque.pollFirst() + deque.pollLast() + " " + deque.removeFirstOccurrence("c") + " " + deque + deque.peekLast());
        deque.push("p");
        Iterator<String> it = deque.descendingIterator();
        System.out.println(it.next() + it.next() + it.hasNext());
    }

    static void fill(Collection<Integer> c, int offset) {
        for (int n = 0; n < 100; n++) c.add(n * 3 + offset);
    }

    static void remove(Map<Integer, Integer> m, int offset) {
        for (int n = offset; n < 300; n += 3) m.remove(n);
    }

    static void add(Map<Integer, Integer> m) {
        for (int n = 300; n < 400; n++) m.put(n, n);
    }
}
