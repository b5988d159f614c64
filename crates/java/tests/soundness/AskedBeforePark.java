import java.util.concurrent.locks.LockSupport;

/** Between what a thread does and its park, another one can ask for its state. */
public class AskedBeforePark {
    static volatile boolean there;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            there = true;
            LockSupport.park();
        });
        t.setDaemon(true);
        t.start();
        if (there) {
            seen = 1 + t.getState().ordinal();
        }
    }
}
