/** Spins on a plain field, which under sequential consistency is seen. Nothing else happens in the loop. */
public class SpinOnPlain {
    static int turn;
    static int n;

    public static void main(String[] args) {
        Thread t = new Thread(() -> {
            n++;
            turn = 1;
        });
        t.start();
        while (turn == 0) {
        }
        n++;
        assert n == 2;
    }
}
