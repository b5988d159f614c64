import java.util.concurrent.locks.LockSupport;

/** Parking ends by an interrupt, which leaves its flag. */
public class InterruptPark {
    static boolean flag;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            LockSupport.park();
            flag = Thread.interrupted();
        });
        t.start();
        t.interrupt();
        t.join();
        assert flag;
    }
}
