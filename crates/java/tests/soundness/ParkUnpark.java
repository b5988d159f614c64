import java.util.concurrent.locks.LockSupport;

/** Parked until the flag is up; the permit may come before the thread parks. */
public class ParkUnpark {
    static volatile boolean ready;
    static int data;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            while (!ready) {
                LockSupport.park();
            }
            seen = data;
        });
        t.start();
        data = 1;
        ready = true;
        LockSupport.unpark(t);
        t.join();
        assert seen == 1;
    }
}
