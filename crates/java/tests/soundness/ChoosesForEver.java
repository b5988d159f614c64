import sojourner.Verify;

/** A thread that does nothing but choose keeps nobody. */
public class ChoosesForEver {
    static volatile boolean begun;
    static int n;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            begun = true;
            while (true) {
                Verify.choose();
            }
        });
        t.setDaemon(true);
        t.start();
        while (!begun) {
            Thread.onSpinWait();
        }
        n = 1;
    }
}
