//! clean
//! found deadlock broken
// A monitor and a ReentrantLock.
import java.util.concurrent.locks.ReentrantLock;

public class MixedLocks {
    public static void main(String[] args) {
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock();
        boolean broken = args.length > 0;
        new Thread(() -> {
            synchronized (monitor) { lock.lock(); lock.unlock(); }
        }).start();
        new Thread(() -> {
            if (broken) { lock.lock(); try { synchronized (monitor) { } } finally { lock.unlock(); } }
            else { synchronized (monitor) { lock.lock(); lock.unlock(); } }
        }).start();
    }
}
