/** The threads take the monitors in opposite orders. */
public class OppositeMonitors {
    static int n;

    static void both(Object first, Object second) {
        synchronized (first) {
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
        both(second, first);
        t.join();
    }
}
