//! clean
//! found assertion broken
// A VarHandle claims a slot. Broken: by get and set.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class HandleExchange {
    static final VarHandle SLOT;
    static final AtomicInteger claims = new AtomicInteger();
    static int slot;

    static {
        try {
            SLOT = MethodHandles.lookup().findStaticVarHandle(HandleExchange.class, "slot", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable claim = () -> {
            if (args.length > 0) {
                if ((int) SLOT.getVolatile() == 0) {
                    SLOT.setVolatile(1);
                    claims.incrementAndGet();
                }
            } else if ((int) SLOT.compareAndExchange(0, 1) == 0) {
                claims.incrementAndGet();
            }
        };
        Thread other = new Thread(claim);
        other.start();
        claim.run();
        other.join();
        assert claims.get() == 1;
    }
}
