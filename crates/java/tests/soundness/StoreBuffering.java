/** Under sequential consistency at least one of two threads sees what the other one wrote. */
public class StoreBuffering {
    static int a;
    static int b;
    static int left;
    static int right;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            a = 1;
            left = b;
        });
        t.start();
        b = 1;
        right = a;
        t.join();
        assert left + right > 0;
    }
}
