/** What a thread wrote is there once it has been joined. */
public class JoinOrder {
    static int n;
    static int before;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            n = 1;
            n = 2;
        });
        t.start();
        before = n;
        t.join();
        assert n == 2;
        n = 3;
    }
}
