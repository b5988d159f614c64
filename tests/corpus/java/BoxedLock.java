//! clean
//! found assertion broken
// A counter is guarded by a lock object. Broken: the lock is the boxed counter itself, which each update replaces.
public class BoxedLock {
    static volatile Integer counter = 0;
    static final Object lock = new Object();

    static void add(boolean broken) {
        synchronized (broken ? counter : lock) {
            counter = counter + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread a = new Thread(() -> add(broken)), b = new Thread(() -> add(broken)), c = new Thread(() -> add(broken));
        a.start();
        b.start();
        c.start();
        a.join();
        b.join();
        c.join();
        assert counter == 3;
    }
}
