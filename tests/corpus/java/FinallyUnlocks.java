//! clean
//! found deadlock broken
// An exception leaves a locked section. Broken: the unlock is not in a finally block, and the worker's exception is caught further out.
import java.util.concurrent.locks.ReentrantLock;

public class FinallyUnlocks {
    static final ReentrantLock lock = new ReentrantLock();

    static void parse(String text, boolean broken) {
        lock.lock();
        if (broken) {
            Integer.parseInt(text);
            lock.unlock();
        } else {
            try {
                Integer.parseInt(text);
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread other = new Thread(() -> {
            try {
                parse("one", broken);
            } catch (NumberFormatException expected) {
                return;
            }
        });
        other.start();
        parse("1", broken);
        other.join();
    }
}
