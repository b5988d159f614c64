/** The program is over as soon as one thread says so. */
public class ExitEarly {
    static int n;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            n = 1;
            n = 2;
        });
        t.start();
        System.exit(0);
    }
}
