/** An initialiser waits for a thread that needs its class. */
public class ClassInitialiserJoins {
    static class Lazy {
        static int value;

        static {
            Thread t = new Thread(() -> value = 1);
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        assert Lazy.value == 1;
    }
}
