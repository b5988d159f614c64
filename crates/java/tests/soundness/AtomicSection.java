import sojourner.Verify;

/** Nobody comes in between in an atomic section; outside of it they do. */
public class AtomicSection {
    static int n;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            seen = n;
            Verify.beginAtomic();
            n++;
            Verify.endAtomic();
        });
        t.start();
        Verify.beginAtomic();
        n++;
        n++;
        Verify.endAtomic();
        t.join();
        assert n == 3 && seen != 1;
    }
}
