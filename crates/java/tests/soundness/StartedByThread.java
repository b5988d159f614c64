/** A thread starts another one, which goes on when the first has ended. */
public class StartedByThread {
    static int n;
    static int left;

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(() -> n *= 2);
        Thread first = new Thread(() -> {
            n = 1;
            second.start();
            left = n;
        });
        first.start();
        first.join();
        second.join();
        assert n == 2 && left >= 1;
    }
}
