/** The flag is raised before the data is written. */
public class FlagTooEarly {
    static int data;
    static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            ready = true;
            data = 2;
        });
        t.start();
        int seen = ready ? data : 2;
        t.join();
        assert seen == 2;
    }
}
