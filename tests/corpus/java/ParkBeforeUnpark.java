//! clean
//! found deadlock broken
// A permit that was given before park is kept; one permit is kept only.
import java.util.concurrent.locks.LockSupport;

public class ParkBeforeUnpark {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread parks = new Thread(() -> {
            LockSupport.park();
            if (broken) LockSupport.park();
        });
        parks.start();
        LockSupport.unpark(parks);
        if (broken) LockSupport.unpark(parks);
        parks.join();
    }
}
