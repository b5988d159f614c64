/** Who suspends itself goes on only when another lets it, and waits for ever if that came too early. */
@SuppressWarnings("deprecation")
public class SuspendsItself {
    static volatile boolean about;
    static int x;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            about = true;
            Thread.currentThread().suspend();
            x++;
        });
        t.start();
        while (!about) {
            Thread.yield();
        }
        t.resume();
    }
}
