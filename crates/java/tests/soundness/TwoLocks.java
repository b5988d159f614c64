/** Both threads lock, but not the same thing. */
public class TwoLocks {
    static int n;

    static void add(Object lock) {
        synchronized (lock) {
            n++;
        }
    }

    public static void main(String[] args) throws Exception {
        Object one = new Object();
        Object two = new Object();
        Thread t = new Thread(() -> add(one));
        t.start();
        add(two);
        t.join();
        assert n == 2;
    }
}
