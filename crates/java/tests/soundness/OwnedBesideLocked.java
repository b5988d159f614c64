/** Of two fields of an object only one thread accesses the first, and both threads the second, with a lock. */
public class OwnedBesideLocked {
    static class Pair {
        int mine;
        int ours;
    }

    static final Pair PAIR = new Pair();

    static void add() {
        synchronized (PAIR) {
            PAIR.ours++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            PAIR.mine++;
            add();
            PAIR.mine++;
        });
        t.start();
        add();
        t.join();
        assert PAIR.mine == 2 && PAIR.ours == 2;
    }
}
