/** The initialiser of a class wants a lock that is held by a thread that wants the class. */
public class ClassInitialisationAndLock {
    static final Object LOCK = new Object();

    static class Lazy {
        static int value;

        static {
            synchronized (LOCK) {
                value = 1;
            }
        }
    }

    static int ours;
    static int theirs;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> theirs = Lazy.value);
        t.start();
        synchronized (LOCK) {
            ours = Lazy.value;
        }
        t.join();
    }
}
