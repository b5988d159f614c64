/** Peterson's algorithm for two: right under sequential consistency. */
public class Peterson {
    static volatile boolean ours;
    static volatile boolean theirs;
    static volatile int turn;
    static int n;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            theirs = true;
            turn = 0;
            while (ours && turn == 0) {
            }
            n++;
            theirs = false;
        });
        t.start();
        ours = true;
        turn = 1;
        while (theirs && turn == 1) {
        }
        n++;
        ours = false;
        t.join();
        assert n == 2;
    }
}
