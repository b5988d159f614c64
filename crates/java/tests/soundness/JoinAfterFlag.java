/** The flag says that the thread is about to be started: it cannot be joined yet. */
public class JoinAfterFlag {
    static volatile boolean flag;
    static int n;

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(() -> n = 1);
        Thread first = new Thread(() -> {
            flag = true;
            second.start();
        });
        first.start();
        int seen = 1;
        if (flag) {
            second.join();
            seen = n;
        }
        first.join();
        second.join();
        assert seen == 1;
    }
}
