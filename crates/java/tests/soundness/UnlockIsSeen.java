/** What happens behind a block is seen while its monitor is free again, and while another one holds it. */
public class UnlockIsSeen {
    static int n;
    static int inside;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                n = 1;
            }
            n = 2;
        });
        t.start();
        synchronized (lock) {
            inside = 10 * n;
            inside += n;
        }
        t.join();
    }
}
