import java.io.*;
import java.util.*;

/** Serialisation in memory: shared references, cycles, transient fields, hooks, enums, versions, refusals. */
public class ObjectStreams {
    static class Base {
        int base = 1;

        Base() {
            base = 77;
        }
    }

    static class Node extends Base implements Serializable {
        private static final long serialVersionUID = 1;
        final String name;
        Node next;
        transient int cached = 5;
        double[] numbers = {1.5, -2};
        Kind kind = Kind.B;

        Node(String name) {
            this.name = name;
        }
    }

    enum Kind { A, B }

    static class Hooks implements Serializable {
        transient String secret = "s";
        int n = 3;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeUTF(new StringBuilder(secret).reverse().append("!").toString());
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            secret = in.readUTF();
            n++;
        }
    }

    static class Single implements Serializable {
        static final Single ONE = new Single();

        private Object readResolve() {
            return ONE;
        }
    }

    static class Outside implements Externalizable {
        int v;

        public Outside() { }

        Outside(int v) {
            this.v = v;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(v * 2);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            v = in.readInt();
        }
    }

    static byte[] write(Object o) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(o);
        return bytes.toByteArray();
    }

    @SuppressWarnings("unchecked")
    static <T> T copy(T o) throws Exception {
        return (T) new ObjectInputStream(new ByteArrayInputStream(write(o))).readObject();
    }

    public static void main(String[] args) throws Exception {
        Node a = new Node("a"), b = new Node("b");
        a.next = b;
        b.next = a;
        a.base = 5;
        a.cached = 9;
        Node c = copy(a);
        System.out.println(c.name + c.next.name + " " + (c.next.next == c) + " " + (c != a) + " " + c.cached + " " + c.base + " " + Arrays.toString(c.numbers) + " " + (c.kind == Kind.B));
        Hooks h = new Hooks();
        h.secret = "abc";
        System.out.println(copy(h).secret + " " + copy(h).n);
        System.out.println((copy(Single.ONE) == Single.ONE) + " " + copy(new Outside(21)).v + " " + copy(Kind.A));
        Object shared = new ArrayList<>(List.of(1));
        Object[] pair = copy(new Object[] {shared, shared, "text", null, new int[][] {{1}, {2, 3}}, 7L, 'c', true});
        System.out.println((pair[0] == pair[1]) + " " + Arrays.deepToString(pair));
        Map<String, List<Integer>> map = new TreeMap<>(Comparator.reverseOrder());
        map.put("x", new LinkedList<>(List.of(1, 2)));
        map.put("y", List.of());
        System.out.println(copy(map) + " " + copy(new HashMap<>(map)).equals(map) + " " + copy(EnumSet.of(Kind.A)) + " " + copy(new BitSet()) + copy(Optional.class).getName() + copy(new java.math.BigDecimal("1.50")));
        Exception e = copy(new IllegalStateException("m", new IOException("cause")));
        System.out.println(e + " " + e.getCause() + " " + (e.getStackTrace().length > 0));
        try {
            write(new Object[] {new Object()});
        } catch (NotSerializableException x) {
            System.out.println(x.getMessage());
        }
        byte[] data = write("text");
        data[0] = 0;
        try {
            new ObjectInputStream(new ByteArrayInputStream(data));
        } catch (StreamCorruptedException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(ObjectStreamClass.lookup(Node.class).getSerialVersionUID() + " " + ObjectStreamClass.lookup(Hooks.class).getSerialVersionUID() + " " + write(a).length);
        ObjectInputStream filtered = new ObjectInputStream(new ByteArrayInputStream(write(a)));
        filtered.setObjectInputFilter(info -> info.serialClass() == Node.class ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.UNDECIDED);
        try {
            filtered.readObject();
        } catch (InvalidClassException x) {
            System.out.println(x.getMessage());
        }
    }
}
