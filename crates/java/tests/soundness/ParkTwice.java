import java.util.concurrent.locks.LockSupport;

/** Two permits that come before either is used are one. */
public class ParkTwice {
    static int round;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            LockSupport.park();
            round = 1;
            LockSupport.park();
            round = 2;
        });
        t.start();
        LockSupport.unpark(t);
        LockSupport.unpark(t);
        t.join();
    }
}
