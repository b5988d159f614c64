/** One lock under two names. */
public class LockAlias {
    final Object lock;
    static int n;

    LockAlias(Object lock) {
        this.lock = lock;
    }

    void add() {
        synchronized (lock) {
            n++;
        }
    }

    public static void main(String[] args) throws Exception {
        LockAlias one = new LockAlias(new Object());
        LockAlias two = new LockAlias(one.lock);
        Thread t = new Thread(one::add);
        t.start();
        two.add();
        t.join();
        assert n == 2;
    }
}
