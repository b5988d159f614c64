import sojourner.Verify;

/** Nobody comes in between in an atomic section, not even where it chooses in a loop. */
public class AtomicChoices {
    static int n;
    static int before;
    static int chosen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> n = 1);
        t.start();
        Verify.beginAtomic();
        before = n;
        for (int i = 0; i < 2; i++) {
            chosen += Verify.choose(0, 1);
        }
        int after = n;
        Verify.endAtomic();
        t.join();
        assert before == after;
    }
}
