import java.util.*;

/** ArrayList, LinkedList, ArrayDeque, Vector, Stack, Arrays and Collections: operations, views, immutability. */
public class Lists {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    static void exercise(List<Integer> list) {
        for (int i = 0; i < 20; i++) list.add(i / 3 * (i % 2 == 0 ? 1 : -1));
        list.add(5, 100);
        list.addAll(3, List.of(7, 8, 9));
        list.remove(0);
        list.remove((Integer) (-4));
        list.removeIf(n -> n == 0);
        list.set(2, 55);
        list.subList(4, 8).clear();
        list.replaceAll(n -> n * 2);
        System.out.println(list.getClass().getSimpleName() + " " + list + " " + list.indexOf(10) + list.lastIndexOf(10) + list.contains(110) + " " + list.hashCode());
        list.sort(null);
        System.out.println(list + " " + Collections.binarySearch(list, 6) + " " + list.equals(new ArrayList<>(list)));
        list.retainAll(Set.of(2, 4, 6, 110));
        ListIterator<Integer> it = list.listIterator(list.size());
        StringBuilder back = new StringBuilder();
        while (it.hasPrevious()) back.append(it.previousIndex()).append('=').append(it.previous()).append(' ');
        System.out.println(back);
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        exercise(new Vector<>());
        ArrayDeque<Integer> deque = new ArrayDeque<>(2);
        for (int i = 0; i < 10; i++) {
            deque.addFirst(i);
            deque.addLast(-i);
            if (i % 3 == 0) deque.pollLast();
        }
        System.out.println(deque + " " + deque.peekFirst() + deque.peekLast() + " " + deque.removeFirstOccurrence(-4) + deque.size() + " " + deque.pop());
        Stack<String> stack = new Stack<>();
        stack.push("a");
        stack.push("b");
        System.out.println(stack.peek() + stack.search("a") + stack.pop() + stack.pop() + stack.empty());
        List<Integer> numbers = new ArrayList<>(List.of(5, 3, 8, 1, 9, 2));
        Collections.rotate(numbers, 2);
        System.out.print(numbers + " ");
        Collections.reverse(numbers);
        Collections.swap(numbers, 0, 5);
        System.out.println(numbers + " " + Collections.max(numbers) + Collections.min(numbers) + Collections.frequency(numbers, 3) + Collections.nCopies(3, "x")
                + Collections.disjoint(numbers, List.of(100)) + Collections.indexOfSubList(numbers, List.of(5)) + " " + Collections.emptyList() + Collections.singletonList(1));
        int[] a = {5, 2, 9, 1};
        int[][] grid = {{1, 2}, {3}};
        Arrays.sort(a, 1, 4);
        System.out.println(Arrays.toString(a) + Arrays.deepToString(grid) + Arrays.hashCode(a) + " " + Arrays.equals(a, new int[] {5, 1, 2, 9}) + Arrays.deepEquals(grid, new int[][] {{1, 2}, {3}})
                + Arrays.toString(Arrays.copyOfRange(a, 1, 6)) + Arrays.compare(a, new int[] {5, 1, 3}) + Arrays.mismatch(a, new int[] {5, 1, 2}) + Arrays.asList(1, 2));
        String[] words = {"pear", "Apple", "fig", "apple"};
        Arrays.sort(words, String.CASE_INSENSITIVE_ORDER.thenComparing(Comparator.reverseOrder()));
        System.out.println(Arrays.toString(words) + Arrays.stream(words).mapToInt(String::length).sum());
        attempt("immutable", () -> List.of(1).add(2));
        attempt("null element", () -> List.of(1, null));
        attempt("null query", () -> List.of(1).contains(null));
        attempt("unmodifiable", () -> Collections.unmodifiableList(numbers).remove(0));
        attempt("fixed size", () -> Arrays.asList(1, 2).add(3));
        attempt("get", () -> numbers.get(6));
        attempt("add", () -> numbers.add(9, 1));
        attempt("linked", () -> new LinkedList<>().getFirst());
        attempt("sublist", () -> numbers.subList(3, 2));
        attempt("deque", () -> new ArrayDeque<>().addFirst(null));
        attempt("duplicate", () -> Set.of(1, 1));
        attempt("checked", () -> ((List) Collections.checkedList(new ArrayList<>(), String.class)).add(1));
        attempt("merge sort", () -> Arrays.sort(new Object[] {1, "a"}));
        List<Integer> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) many.add((i * 7919) % 503);
        Collections.sort(many);
        System.out.println(many.get(0) + " " + many.get(499) + " " + many.hashCode());
    }
}
