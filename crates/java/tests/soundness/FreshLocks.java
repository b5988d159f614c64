/** Each block locks an object of its own, which is thrown away: it protects nothing. */
public class FreshLocks {
    static int n;

    static void add() {
        synchronized (new Object()) {
            n++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(FreshLocks::add);
        t.start();
        add();
        t.join();
        assert n == 2;
    }
}
