/** Nothing but the place of the caller tells the second call from the first. */
public class CalledTwice {
    static volatile int n;
    static int other;
    static boolean done;

    static void clear() {
        n = 0;
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> other = 1);
        t.start();
        clear();
        clear();
        done = true;
        t.join();
    }
}
