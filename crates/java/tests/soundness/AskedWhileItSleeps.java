/** A thread that sleeps is seen to. */
public class AskedWhileItSleeps {
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        t.start();
        seen = 1 + t.getState().ordinal();
        t.join();
    }
}
