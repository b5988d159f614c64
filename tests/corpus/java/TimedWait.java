//! clean
//! found assertion broken
// A wait with a time-out may return before the notify.
public class TimedWait {
    static boolean ready;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        new Thread(() -> { synchronized (lock) { ready = true; lock.notify(); } }).start();
        synchronized (lock) {
            if (!ready) lock.wait(100);
            if (args.length > 0) assert ready;
        }
    }
}
