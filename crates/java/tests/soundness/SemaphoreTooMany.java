import java.util.concurrent.Semaphore;

/** A permit too many. */
public class SemaphoreTooMany {
    static int n;

    static void add(Semaphore permits) {
        permits.acquireUninterruptibly();
        n++;
        permits.release();
    }

    public static void main(String[] args) throws Exception {
        Semaphore permits = new Semaphore(2);
        Thread t = new Thread(() -> add(permits));
        t.start();
        add(permits);
        t.join();
        assert n == 2;
    }
}
