/** A daemon may be anywhere when the program ends. */
public class DaemonIsLeft {
    static int n;
    static int seen;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            n = 1;
            n = 2;
        });
        t.setDaemon(true);
        t.start();
        seen = n;
    }
}
