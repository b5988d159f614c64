import java.io.*;
import java.util.*;
import java.util.stream.*;

/** Records within records: trees, generic ones, printing, hashing, deserialisation through the constructor. */
public class RecordsNested {
    sealed interface Tree<T> permits Leaf, Node { }

    record Leaf<T>(T value) implements Tree<T> { }

    record Node<T>(Tree<T> left, Tree<T> right) implements Tree<T> { }

    record Line(Point from, Point to) implements Serializable {
        double length() {
            return Math.hypot(to.x - from.x, to.y - from.y);
        }
    }

    record Point(int x, int y) implements Serializable {
        static int checked;

        Point {
            checked++;
            x = Math.max(x, 0);
        }
    }

    record Company(String name, Map<String, List<Person>> departments) {
        record Person(String name, int age, Optional<Person> boss) { }
    }

    static <T> int depth(Tree<T> t) {
        if (t instanceof Node<T> n) return 1 + Math.max(depth(n.left()), depth(n.right()));
        return 0;
    }

    static <T> Tree<T> build(List<T> items) {
        if (items.size() == 1) return new Leaf<>(items.get(0));
        int mid = items.size() / 2;
        return new Node<>(build(items.subList(0, mid)), build(items.subList(mid, items.size())));
    }

    public static void main(String[] args) throws Exception {
        Tree<Integer> tree = build(IntStream.range(0, 5).boxed().toList());
        System.out.println(tree + " " + depth(tree));
        System.out.println(tree.equals(build(List.of(0, 1, 2, 3, 4))) + " " + tree.hashCode());
        Line line = new Line(new Point(-3, 1), new Point(3, 5));
        System.out.println(line + " " + line.length() + " " + line.hashCode());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(line);
        int before = Point.checked;
        Line read = (Line) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        System.out.println(read.equals(line) + " " + (read != line) + " " + (Point.checked - before));
        Company.Person boss = new Company.Person("Ada", 40, Optional.empty());
        Company c = new Company("C", new TreeMap<>(Map.of("b", List.of(boss), "a", List.of(new Company.Person("Bob", 30, Optional.of(boss))))));
        System.out.println(c);
        System.out.println(c.departments().values().stream().flatMap(List::stream)
                .collect(Collectors.averagingInt(Company.Person::age)));
        Set<Object> set = new HashSet<>(List.of(new Point(1, 1), new Point(1, 2)));
        System.out.println(set.contains(new Point(1, 1)) + " " + set.add(new Point(1, 2)) + " " + set.size());
        var enclosing = Company.Person.class.getEnclosingClass();
        System.out.println(enclosing.getSimpleName() + " " + Company.Person.class.getName());
    }
}
