/** A daemon spins on a field that nobody ever writes: the others go on. */
public class SpinsForEver {
    static boolean never;
    static int n;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            n = 1;
            while (!never) {
            }
            n = 2;
        });
        t.setDaemon(true);
        t.start();
        assert n < 2;
    }
}
