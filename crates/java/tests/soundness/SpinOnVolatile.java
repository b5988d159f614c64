/** Spins until the other thread says so. */
public class SpinOnVolatile {
    static volatile boolean go;
    static int n;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            while (!go) {
                Thread.onSpinWait();
            }
            assert n == 1;
            n = 2;
        });
        t.start();
        n = 1;
        go = true;
    }
}
