/**
 * Threads that set two fields and threads that check that they belong together, after Reorder of RGDS 2007 (Table 1).
 * Defect: the two fields are set and read without a lock, so that a checker sees one new and one old value.
 * Parameters: setters, checkers; the paper's go up to 10 1.
 *
 * sojourner check examples/java/Reorder.java -- 1 1: found, assertion
 */
public class Reorder {
    private int left;
    private int right;

    void set() {
        left = 1;
        right = -1;
    }

    void check() {
        assert left + right == 0 : "half of the pair was seen";
    }

    public static void main(String[] args) {
        int setters = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int checkers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Reorder pair = new Reorder();
        for (int i = 0; i < setters; i++) {
            new Thread(pair::set).start();
        }
        for (int i = 0; i < checkers; i++) {
            new Thread(pair::check).start();
        }
    }
}
