/** Peterson's algorithm with the turn taken before the flag is raised. */
public class PetersonTurned {
    static volatile boolean ours;
    static volatile boolean theirs;
    static volatile int turn;
    static int n;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            turn = 0;
            theirs = true;
            while (ours && turn == 0) {
            }
            n++;
            theirs = false;
        });
        t.start();
        turn = 1;
        ours = true;
        while (theirs && turn == 1) {
        }
        n++;
        ours = false;
        t.join();
        assert n == 2;
    }
}
