/** A thread that waits for the end of another is seen to. */
public class AskedWhileItJoins {
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread t = new Thread(() -> seen = 1 + main.getState().ordinal());
        t.start();
        t.join();
    }
}
