import sojourner.Verify;

/** Between what comes before an atomic section and the section others can move. */
public class AtomicAfterRead {
    static int n;
    static int seen;
    static int then;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> n = 1);
        t.start();
        seen = n;
        Verify.beginAtomic();
        then = 10 * n;
        then += n;
        Verify.endAtomic();
        t.join();
        assert then == 0 || then == 11;
    }
}
