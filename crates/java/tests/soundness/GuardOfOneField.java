/** Of two fields of an object one is under a lock and the other one is not. */
public class GuardOfOneField {
    static class Pair {
        int locked;
        int open;
    }

    static void add(Pair pair) {
        synchronized (pair) {
            pair.locked++;
        }
        pair.open++;
    }

    public static void main(String[] args) throws Exception {
        Pair pair = new Pair();
        Thread t = new Thread(() -> add(pair));
        t.start();
        add(pair);
        t.join();
        assert pair.locked == 2;
        assert pair.open == 2;
    }
}
