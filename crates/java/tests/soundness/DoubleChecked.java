/** Double-checked locking with a volatile field. */
public class DoubleChecked {
    static volatile int[] instance;
    static int made;

    static int[] get(Object lock) {
        if (instance == null) {
            synchronized (lock) {
                if (instance == null) {
                    made++;
                    instance = new int[] {7};
                }
            }
        }
        return instance;
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            assert get(lock)[0] == 7;
        });
        t.start();
        get(lock);
        t.join();
        assert made == 1;
    }
}
