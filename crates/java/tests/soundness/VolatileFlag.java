/** Data is written before the flag that says so. */
public class VolatileFlag {
    static int data;
    static volatile boolean ready;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            data = 1;
            data = 2;
            ready = true;
        });
        t.start();
        if (ready) {
            seen = data;
            assert seen == 2;
        }
        t.join();
    }
}
