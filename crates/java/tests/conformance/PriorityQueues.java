import java.util.*;

/** PriorityQueue: heap order, comparators, removal, iteration over the heap array, merging of sorted sources. */
public class PriorityQueues {
    record Job(String name, int priority) { }

    public static void main(String[] args) {
        PriorityQueue<Integer> heap = new PriorityQueue<>(List.of(5, 1, 8, 3, 9, 2, 7));
        System.out.println(heap + " " + heap.peek() + " " + heap.size());
        heap.remove(3);
        heap.offer(0);
        System.out.println(heap + " " + heap.contains(8) + heap.contains(3));
        StringBuilder drained = new StringBuilder();
        while (!heap.isEmpty()) drained.append(heap.poll()).append(' ');
        System.out.println(drained + "" + heap.poll() + heap.peek());
        PriorityQueue<Job> jobs = new PriorityQueue<>(Comparator.comparingInt(Job::priority).reversed().thenComparing(Job::name));
        for (String s : "c1 a3 b3 d2 e1".split(" ")) jobs.add(new Job(s, s.charAt(1) - '0'));
        for (Job j; (j = jobs.poll()) != null; ) System.out.print(j.name() + " ");
        System.out.println();
        PriorityQueue<int[]> merge = new PriorityQueue<>((x, y) -> Integer.compare(x[0], y[0]));
        int[][] sources = {{1, 4, 9}, {2, 3, 10, 11}, {}, {0, 12}};
        for (int s = 0; s < sources.length; s++) if (sources[s].length > 0) merge.add(new int[] {sources[s][0], s, 0});
        StringBuilder merged = new StringBuilder();
        while (!merge.isEmpty()) {
            int[] top = merge.remove();
            merged.append(top[0]).append(' ');
            if (top[2] + 1 < sources[top[1]].length) merge.add(new int[] {sources[top[1]][top[2] + 1], top[1], top[2] + 1});
        }
        System.out.println(merged);
        int[][] edges = {{0, 1, 7}, {0, 2, 3}, {2, 1, 2}, {1, 3, 1}, {2, 3, 8}, {3, 4, 2}};
        int[] distance = new int[5];
        Arrays.fill(distance, Integer.MAX_VALUE);
        PriorityQueue<long[]> frontier = new PriorityQueue<>(Comparator.comparingLong(e -> e[0]));
        frontier.add(new long[] {0, 0});
        while (!frontier.isEmpty()) {
            long[] at = frontier.poll();
            int node = (int) at[1];
            if (at[0] >= distance[node]) continue;
            distance[node] = (int) at[0];
            for (int[] e : edges) if (e[0] == node) frontier.add(new long[] {at[0] + e[2], e[1]});
        }
        System.out.println("shortest paths " + Arrays.toString(distance));
        PriorityQueue<String> strings = new PriorityQueue<>(Comparator.reverseOrder());
        Collections.addAll(strings, "b", "c", "a", "d");
        strings.removeIf(s -> s.equals("c"));
        Iterator<String> it = strings.iterator();
        it.next();
        it.remove();
        System.out.println(strings + " " + strings.comparator().compare("a", "b") + " " + Arrays.toString(strings.toArray()));
        for (Runnable r : new Runnable[] {() -> strings.add(null), () -> new PriorityQueue<Object>().addAll(List.of(1, "x")), strings::element,
            () -> new PriorityQueue<>(0), () -> new PriorityQueue<>().remove()}) {
            try {
                r.run();
                System.out.println("fine");
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName());
            }
        }
    }
}
