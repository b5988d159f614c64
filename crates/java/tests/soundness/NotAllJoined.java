/** One of two threads has been joined, the other one is still there. */
public class NotAllJoined {
    static int n;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> { });
        Thread second = new Thread(() -> n++);
        second.start();
        first.start();
        first.join();
        n++;
        second.join();
        assert n == 2;
    }
}
