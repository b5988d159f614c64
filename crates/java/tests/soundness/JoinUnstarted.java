/** A thread that has not been started yet is not waited for. */
public class JoinUnstarted {
    static int n;

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(() -> n = 1);
        Thread first = new Thread(second::start);
        first.start();
        second.join();
        int seen = n;
        first.join();
        second.join();
        assert seen == 1;
    }
}
