/** Fields of one object under the lock of another one. */
public class ManyGuardedByOne {
    static class Pair {
        int left;
        int right;
    }

    static int seen;

    public static void main(String[] args) throws Exception {
        Pair pair = new Pair();
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                pair.left = 1;
                pair.right = 1;
            }
        });
        t.start();
        synchronized (lock) {
            seen = pair.left;
            assert pair.right == seen;
        }
        t.join();
    }
}
