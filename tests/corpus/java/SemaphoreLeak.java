//! clean
//! found deadlock broken
// A permit is not given back when the work throws.
import java.util.concurrent.Semaphore;

public class SemaphoreLeak {
    static void work(Semaphore permits, boolean fails, boolean broken) {
        permits.acquireUninterruptibly();
        if (broken) {
            if (fails) throw new IllegalStateException();
            permits.release();
            return;
        }
        try { if (fails) throw new IllegalStateException(); } finally { permits.release(); }
    }

    public static void main(String[] args) throws Exception {
        Semaphore permits = new Semaphore(1);
        boolean broken = args.length > 0;
        Thread a = new Thread(() -> {
            try { work(permits, true, broken); } catch (IllegalStateException e) { }
        });
        Thread b = new Thread(() -> work(permits, false, broken));
        a.start(); b.start(); a.join(); b.join();
    }
}
