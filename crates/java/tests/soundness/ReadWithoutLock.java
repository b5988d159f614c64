/** Writers lock and keep both fields equal; the reader does not lock. */
public class ReadWithoutLock {
    static int left;
    static int right;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                left++;
                right++;
            }
        });
        t.start();
        int seen = right - left;
        t.join();
        assert seen >= 0;
    }
}
