import sojourner.Verify;

/**
 * Of three additions two are made, one of them by the main thread alone at the start or, once in a thousand, both by threads side
 * by side: each state of that last case but its owner has been there before.
 */
public class OwnerOfMergedState {
    static class Box {
        int n;
    }

    static final Box BOX = new Box();
    static volatile boolean begun;

    static void add(boolean really) {
        if (really) {
            BOX.n++;
        }
        begun = true;
    }

    public static void main(String[] args) throws Exception {
        boolean different = true;
        for (int i = 0; i < 10; i++) {
            different &= Verify.choose();
        }
        boolean theirs = different || Verify.choose();
        boolean ours = different || !theirs;
        if (!different) {
            BOX.n++;
        }
        Thread t = new Thread(() -> add(theirs));
        t.start();
        add(ours);
        t.join();
        assert BOX.n == 2;
    }
}
