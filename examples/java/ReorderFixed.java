/**
 * Threads that set two fields and threads that check that they belong together, after Reorder of RGDS 2007 (Table 1).
 * The repaired twin of Reorder.java: both fields are set and read under one lock.
 * Parameters: setters, checkers; the paper's go up to 10 1.
 *
 * sojourner check examples/java/ReorderFixed.java -- 1 1: clean
 */
public class ReorderFixed {
    private int left;
    private int right;

    synchronized void set() {
        left = 1;
        right = -1;
    }

    synchronized void check() {
        assert left + right == 0 : "half of the pair was seen";
    }

    public static void main(String[] args) {
        int setters = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int checkers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        ReorderFixed pair = new ReorderFixed();
        for (int i = 0; i < setters; i++) {
            new Thread(pair::set).start();
        }
        for (int i = 0; i < checkers; i++) {
            new Thread(pair::check).start();
        }
    }
}
