/** The other threads go on when main has thrown something that a handler takes. */
public class MainFailsAlone {
    static int x;

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, exception) -> x++);
        Thread t = new Thread(() -> x += 10);
        t.start();
        throw new IllegalStateException();
    }
}
