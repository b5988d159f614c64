/** Who is stopped gives back its monitors and leaves half done what it was doing. */
@SuppressWarnings("deprecation")
public class StoppedInTheMiddle {
    static final Object LOCK = new Object();
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (LOCK) {
                x = 1;
                y = 1;
            }
        });
        t.start();
        t.stop();
        t.join();
        synchronized (LOCK) {
            assert x >= y;
        }
    }
}
