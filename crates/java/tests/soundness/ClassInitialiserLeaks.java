/** The initialiser lets an object of its class escape whose fields it has not set yet. */
public class ClassInitialiserLeaks {
    static volatile Lazy leaked;

    static class Lazy {
        static final Lazy ONLY = new Lazy();
        int value;

        static {
            leaked = ONLY;
            ONLY.value = 1;
        }
    }

    static int ours;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> ours = Lazy.ONLY.value);
        t.start();
        Lazy read = leaked;
        int seen = read == null ? 1 : read.value;
        t.join();
        assert seen == 1;
    }
}
