import sojourner.Verify;

/**
 * Both threads take one lock, or the other, or, once in a thousand, different ones: each state of that last case but its guard has
 * been there before.
 */
public class GuardOfMergedState {
    static final Object ONE = new Object();
    static final Object OTHER = new Object();
    static volatile boolean begun;
    static int n;

    static void add(Object lock) {
        synchronized (lock) {
            begun = true;
            n++;
        }
    }

    public static void main(String[] args) throws Exception {
        boolean different = true;
        for (int i = 0; i < 10; i++) {
            different &= Verify.choose();
        }
        Object theirs = different || Verify.choose() ? OTHER : ONE;
        Object ours = different ? ONE : theirs;
        Thread t = new Thread(() -> add(theirs));
        t.start();
        add(ours);
        t.join();
        assert n == 2;
    }
}
