/** A thread that is no longer alive has written everything. */
public class EndIsSeen {
    static int n;
    static int seen = -1;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            n = 1;
            n = 2;
        });
        t.start();
        if (!t.isAlive()) {
            seen = n;
            assert seen == 2;
        }
        t.join();
    }
}
