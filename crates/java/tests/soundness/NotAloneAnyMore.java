/** Alone after the join, but not after the next start. */
public class NotAloneAnyMore {
    static int n;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> n++);
        Thread second = new Thread(() -> n++);
        first.start();
        first.join();
        n++;
        second.start();
        n++;
        second.join();
        assert n == 4;
    }
}
