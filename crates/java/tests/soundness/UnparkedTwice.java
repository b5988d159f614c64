import java.util.concurrent.locks.LockSupport;

/** Two permits for a parked thread are one if the second comes before it has gone on. */
public class UnparkedTwice {
    static int round;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            LockSupport.park();
            LockSupport.park();
        });
        t.start();
        if (t.getState() == Thread.State.WAITING) {
            round = 1;
            LockSupport.unpark(t);
            LockSupport.unpark(t);
        } else {
            LockSupport.unpark(t);
            while (t.getState() != Thread.State.TERMINATED) {
                LockSupport.unpark(t);
                Thread.yield();
            }
        }
    }
}
