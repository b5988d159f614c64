import java.util.concurrent.locks.ReentrantLock;

/** One way through the code forgets to unlock. */
public class LockNotUnlocked {
    static int n;

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Thread t = new Thread(() -> {
            lock.lock();
            if (n == 0) {
                lock.unlock();
            }
        });
        t.start();
        n = 1;
        lock.lock();
        lock.unlock();
    }
}
