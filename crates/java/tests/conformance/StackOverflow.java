/** Recursion without end is caught, repeatedly, and the machine goes on; finally blocks and locks are kept right. */
public class StackOverflow {
    static int depth;
    static int finals;
    static final Object lock = new Object();

    static void down() {
        depth++;
        down();
    }

    static long wide(long a, double b, Object c) {
        return wide(a + 1, b * 2, c) + (long) b;
    }

    static synchronized int locked(int n) {
        synchronized (lock) {
            return locked(n + 1) + 1;
        }
    }

    static void cleansUp(int n) {
        try {
            cleansUp(n + 1);
        } finally {
            finals++;
        }
    }

    @Override
    public String toString() {
        return "self: " + this;
    }

    static boolean overflows(Runnable r) {
        try {
            r.run();
            return false;
        } catch (StackOverflowError e) {
            StackTraceElement[] trace = e.getStackTrace();
            System.out.println(e + " " + (trace.length > 500) + " " + e.getCause() + " " + (e.getMessage() == null));
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 3; round++) {
            depth = 0;
            System.out.println(overflows(StackOverflow::down) + " deep: " + (depth > 500));
        }
        System.out.println(overflows(() -> wide(1, 2, "x")));
        System.out.println(overflows(() -> locked(0)));
        System.out.println(Thread.holdsLock(lock) + " " + Thread.holdsLock(StackOverflow.class));
        System.out.println(overflows(() -> cleansUp(0)) + " " + (finals > 500));
        System.out.println(overflows(() -> new StackOverflow().toString()));
        Thread other = new Thread(() -> System.out.println("in a thread: " + overflows(StackOverflow::down)));
        other.start();
        other.join();
        synchronized (lock) {
            System.out.println("the lock is free again");
        }
        int sum = 0;
        for (int i = 0; i < 1000; i++) sum += i;
        System.out.println(sum);
    }
}
