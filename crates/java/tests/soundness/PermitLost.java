import java.util.concurrent.locks.LockSupport;

/** Behind what a thread does before it parks, a second permit can come before the first is used, and is lost. */
public class PermitLost {
    static volatile boolean soon;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            soon = true;
            LockSupport.park();
            LockSupport.park();
        });
        t.start();
        LockSupport.unpark(t);
        while (!soon) {
            Thread.onSpinWait();
        }
        LockSupport.unpark(t);
    }
}
