/** Both threads take the monitors in the same order. */
public class NestedMonitors {
    static int n;

    static void both(Object first, Object second) {
        synchronized (first) {
            n++;
            synchronized (second) {
                n++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Object first = new Object();
        Object second = new Object();
        Thread t = new Thread(() -> both(first, second));
        t.start();
        both(first, second);
        t.join();
        assert n == 4;
    }
}
