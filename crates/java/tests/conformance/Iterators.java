import java.util.*;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/** Iterators of our own and of the library: removal, list iterators, fail-fast behaviour, spliterators, enumerations. */
public class Iterators {
    static class Chain implements Iterable<Integer> {
        final int[] values;

        Chain(int... values) {
            this.values = values;
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < values.length;
                }

                @Override
                public Integer next() {
                    if (!hasNext()) throw new NoSuchElementException("after " + next);
                    return values[next++];
                }
            };
        }
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        Chain chain = new Chain(3, 1, 4, 1, 5);
        int sum = 0;
        for (int v : chain) sum = sum * 10 + v;
        System.out.println(sum);
        chain.forEach(v -> System.out.print(v + " "));
        Iterator<Integer> it = chain.iterator();
        it.next();
        it.forEachRemaining(v -> System.out.print("r" + v + " "));
        System.out.println(StreamSupport.stream(chain.spliterator(), false).mapToInt(v -> v).max().getAsInt());
        attempt("exhausted", it::next);
        attempt("no removal", it::remove);
        List<String> list = new ArrayList<>(List.of("a", "b", "c", "d"));
        ListIterator<String> li = list.listIterator();
        while (li.hasNext()) {
            int index = li.nextIndex();
            String s = li.next();
            if (s.equals("b")) li.remove();
            else if (s.equals("c")) li.add("c2");
            else li.set(s + index);
        }
        System.out.println(list + " " + li.previous() + li.previousIndex());
        attempt("set after add", () -> {
            ListIterator<String> l = list.listIterator();
            l.add("x");
            l.set("y");
        });
        attempt("remove twice", () -> {
            Iterator<String> i = list.iterator();
            i.next();
            i.remove();
            i.remove();
        });
        List<Collection<Integer>> all = List.of(new ArrayList<>(), new LinkedList<>(), new HashSet<>(), new TreeSet<>(), new ArrayDeque<>(), new PriorityQueue<>(), new LinkedHashSet<>(), new Vector<>());
        for (Collection<Integer> c : all) {
            for (int i = 0; i < 5; i++) c.add(i);
            attempt(c.getClass().getSimpleName() + " add", () -> {
                for (int v : c) c.add(v + 100);
            });
            attempt(c.getClass().getSimpleName() + " remove next to last", () -> {
                int seen = 0;
                for (Integer v : c) if (++seen == c.size() - 1) c.remove(v);
            });
        }
        attempt("removeIf", () -> list.removeIf(s -> {
            list.add("z");
            return false;
        }));
        Spliterator<Integer> right = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6)).spliterator();
        Spliterator<Integer> left = right.trySplit();
        Consumer<Integer> print = v -> System.out.print(v + " ");
        left.forEachRemaining(print);
        System.out.print("| " + right.estimateSize() + " ");
        System.out.println(right.tryAdvance(print) + " " + right.hasCharacteristics(Spliterator.SIZED));
        Enumeration<Integer> e = Collections.enumeration(List.of(1, 2));
        System.out.println(e.nextElement() + " " + e.hasMoreElements() + " " + Collections.list(e) + " " + Collections.emptyIterator().hasNext());
        PrimitiveIterator.OfInt p = java.util.stream.IntStream.of(7, 8).iterator();
        System.out.println(p.nextInt() + p.next());
    }
}
