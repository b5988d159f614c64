/** A daemon sees the last thing that the main thread does, and fails before the program is over. */
public class DaemonFails {
    static volatile boolean last;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            assert !last;
        });
        t.setDaemon(true);
        t.start();
        last = true;
    }
}
