/** Double-checked locking that fills the object after it can be seen. */
public class DoubleCheckedFilledLate {
    static volatile int[] instance;

    static int[] get(Object lock) {
        if (instance == null) {
            synchronized (lock) {
                if (instance == null) {
                    instance = new int[1];
                    instance[0] = 7;
                }
            }
        }
        return instance;
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> get(lock));
        t.start();
        int seen = get(lock)[0];
        t.join();
        assert seen == 7;
    }
}
