/** The object is under one lock first; later both threads use another one, but not at the same time. */
public class GuardHandedOver {
    static int[] cell = new int[1];
    static volatile boolean moved;

    public static void main(String[] args) throws Exception {
        Object first = new Object();
        Object second = new Object();
        Thread t = new Thread(() -> {
            synchronized (moved ? second : first) {
                cell[0]++;
            }
        });
        t.start();
        synchronized (first) {
            moved = true;
        }
        synchronized (second) {
            cell[0]++;
        }
        t.join();
        assert cell[0] == 2;
    }
}
