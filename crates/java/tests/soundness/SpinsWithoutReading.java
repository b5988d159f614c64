/** A daemon does nothing for ever, after it has done something. */
public class SpinsWithoutReading {
    static int n;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            n = 1;
            for (int i = 0;; i = 1 - i) {
            }
        });
        t.setDaemon(true);
        t.start();
        assert n == 0;
    }
}
