import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A condition of a lock, awaited in a loop. */
public class ConditionSignalled {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition raised = lock.newCondition();
        Thread t = new Thread(() -> {
            lock.lock();
            ready = true;
            raised.signal();
            lock.unlock();
        });
        t.start();
        lock.lock();
        while (!ready) {
            raised.await();
        }
        lock.unlock();
    }
}
