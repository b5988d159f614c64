import java.util.concurrent.Semaphore;

/** One permit is as good as a lock. */
public class SemaphoreGuards {
    static int n;

    static void add(Semaphore permits) {
        permits.acquireUninterruptibly();
        n++;
        permits.release();
    }

    public static void main(String[] args) throws Exception {
        Semaphore permits = new Semaphore(1);
        Thread t = new Thread(() -> add(permits));
        t.start();
        add(permits);
        t.join();
        assert n == 2;
    }
}
