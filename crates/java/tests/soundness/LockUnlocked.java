import java.util.concurrent.locks.ReentrantLock;

/** A lock instead of a monitor; one thread only tries. */
public class LockUnlocked {
    static int n;
    static boolean got;

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Thread t = new Thread(() -> {
            lock.lock();
            n++;
            lock.unlock();
        });
        t.start();
        got = lock.tryLock();
        if (got) {
            n++;
            lock.unlock();
        }
        t.join();
        assert n == (got ? 2 : 1);
    }
}
