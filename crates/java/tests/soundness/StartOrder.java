/** What was written before a thread is started is seen by it; it is not waited for. */
public class StartOrder {
    static int n;
    static int seen;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            seen = n;
            assert seen > 0;
        });
        n = 1;
        t.start();
        n = 2;
    }
}
