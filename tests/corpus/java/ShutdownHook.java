//! clean
//! found deadlock broken
// A shutdown hook waits for a lock that the thread that called exit holds.
public class ShutdownHook {
    public static void main(String[] args) {
        Object lock = new Object();
        boolean broken = args.length > 0;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { synchronized (lock) { } }));
        if (broken) { synchronized (lock) { System.exit(0); } }
        else System.exit(0);
    }
}
