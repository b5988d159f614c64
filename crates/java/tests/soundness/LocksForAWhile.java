import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Two threads need both locks, take them in opposite orders, and give up after a while in order to try again. */
public class LocksForAWhile {
    static int done;

    static void both(Lock first, Lock second) {
        try {
            while (true) {
                if (first.tryLock(10, TimeUnit.MILLISECONDS)) {
                    try {
                        if (second.tryLock(10, TimeUnit.MILLISECONDS)) {
                            done++;
                            second.unlock();
                            return;
                        }
                    } finally {
                        first.unlock();
                    }
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Lock left = new ReentrantLock();
        Lock right = new ReentrantLock();
        Thread t = new Thread(() -> both(left, right));
        t.start();
        both(right, left);
        t.join();
    }
}
