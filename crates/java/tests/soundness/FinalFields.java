/** Final fields of an object whose constructor has ended never change. */
public class FinalFields {
    static class Pair {
        final int left;
        final int[] right;

        Pair(int value) {
            left = value;
            right = new int[] {value};
        }
    }

    static Pair pair = new Pair(1);
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> pair = new Pair(2));
        t.start();
        Pair read = pair;
        seen = read.left;
        assert read.right[0] == seen;
        t.join();
    }
}
