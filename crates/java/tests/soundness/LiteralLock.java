/** Equal literals are one object, and so one lock. */
public class LiteralLock {
    static int n;

    static class Other {
        static void add() {
            synchronized ("lock") {
                n++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(Other::add);
        t.start();
        synchronized ("lock") {
            n++;
        }
        t.join();
        assert n == 2;
    }
}
