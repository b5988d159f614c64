import java.util.*;

/** clone: shallow and deep, of arrays and collections, refused without Cloneable, covariant overrides, super.clone. */
public class Cloning {
    static class Point implements Cloneable {
        int x = 1;
        int[] shared = {1, 2};
        final List<String> list = new ArrayList<>(List.of("a"));

        @Override
        public Point clone() {
            try {
                return (Point) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Deep extends Point {
        String extra = "extra";
        static int constructed;

        Deep() {
            constructed++;
        }

        @Override
        public Deep clone() {
            Deep d = (Deep) super.clone();
            d.shared = shared.clone();
            return d;
        }
    }

    static class Refuses {
        Object copy() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    public static void main(String[] args) throws Exception {
        Point p = new Point(), q = p.clone();
        q.x = 5;
        q.shared[0] = 9;
        q.list.add("b");
        System.out.println(p.x + " " + q.x + " " + p.shared[0] + " " + p.list + " " + (p.shared == q.shared) + " " + (p != q) + (p.getClass() == q.getClass()));
        Deep d = new Deep();
        d.extra = "changed";
        Deep e = d.clone();
        e.shared[1] = 7;
        System.out.println(e.extra + " " + d.shared[1] + " " + Deep.constructed + " " + ((Point) d).clone().getClass().getSimpleName());
        try {
            new Refuses().copy();
        } catch (CloneNotSupportedException x) {
            System.out.println(x);
        }
        int[] a = {1, 2, 3}, b = a.clone();
        b[0] = 9;
        int[][] grid = {{1}, {2}}, copy = grid.clone();
        copy[0][0] = 5;
        copy[1] = null;
        System.out.println(Arrays.toString(a) + Arrays.toString(b) + Arrays.deepToString(grid) + Arrays.deepToString(copy));
        Object array = new String[] {"s"};
        System.out.println(((String[]) array).clone()[0] + " " + new long[] {1L << 40}.clone()[0] + new boolean[] {true}.clone()[0] + new char[] {'c'}.clone()[0] + new byte[0].clone().length + new double[] {.5}.clone()[0] + new float[] {1}.clone()[0] + new short[] {2}.clone()[0]);
        ArrayList<Integer> list = new ArrayList<>(List.of(1, 2));
        @SuppressWarnings("unchecked") ArrayList<Integer> other = (ArrayList<Integer>) list.clone();
        other.add(3);
        HashMap<String, int[]> map = new HashMap<>(Map.of("k", new int[] {1}));
        @SuppressWarnings("unchecked") HashMap<String, int[]> mapCopy = (HashMap<String, int[]>) map.clone();
        mapCopy.get("k")[0] = 8;
        mapCopy.put("l", null);
        System.out.println(list + " " + other + " " + map.get("k")[0] + " " + map.size() + mapCopy.size());
        System.out.println(new TreeSet<>(Set.of(3, 1)).clone() + " " + new ArrayDeque<>(List.of(1, 2)).clone() + " " + EnumSet.of(Thread.State.NEW).clone() + " " + new LinkedList<>(List.of("x")).clone() + " " + ((BitSet) new BitSet().clone()).isEmpty() + " " + new Date(0).clone().equals(new Date(0)));
        synchronized (p) {
            Point r = p.clone();
            System.out.println(Thread.holdsLock(p) + " " + Thread.holdsLock(r));
        }
        System.out.println(args.clone().length + " " + args.clone().getClass().getSimpleName());
    }
}
