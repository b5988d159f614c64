/** Two fields that are written under a lock, and copied without it. */
public class CloneWithoutLock {
    static class Pair implements Cloneable {
        int x, y;

        Pair copy() {
            try {
                return (Pair) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static Pair pair = new Pair();
    static int x, y;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (pair) {
                pair.x = 1;
                pair.y = 1;
            }
        });
        t.start();
        Pair copy = pair.copy();
        x = copy.x;
        y = copy.y;
        t.join();
        assert x == y;
    }
}
