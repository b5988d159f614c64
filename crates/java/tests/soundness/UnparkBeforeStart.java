import java.util.concurrent.locks.LockSupport;

/** A permit for a thread that has not started is lost. */
public class UnparkBeforeStart {
    static volatile boolean soon;

    public static void main(String[] args) throws Exception {
        Thread parks = new Thread(LockSupport::park);
        Thread unparks = new Thread(() -> {
            while (!soon) {
                Thread.onSpinWait();
            }
            LockSupport.unpark(parks);
        });
        unparks.start();
        soon = true;
        parks.start();
        parks.join();
    }
}
