/** A timed join may return before the thread has ended. */
public class TimedJoin {
    static int n;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> n = 1);
        t.start();
        t.join(5);
        int seen = n;
        t.join();
        assert seen == 1;
    }
}
