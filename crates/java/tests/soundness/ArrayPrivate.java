/** Each thread fills an array of its own and publishes it at the end. */
public class ArrayPrivate {
    static volatile int[] published;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            int[] own = new int[2];
            own[0] = 1;
            own[1] = own[0] + 1;
            published = own;
        });
        t.start();
        int[] own = {3, 4};
        own[0] += own[1];
        int[] other = published;
        seen = other == null ? own[0] : other[0] + other[1];
        t.join();
        assert seen == 7 || seen == 3;
    }
}
