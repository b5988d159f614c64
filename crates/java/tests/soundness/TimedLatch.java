import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A latch that is waited for for some time may be opened too late. */
public class TimedLatch {
    static boolean opened;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(latch::countDown);
        t.start();
        opened = latch.await(10, TimeUnit.MILLISECONDS);
        t.join();
    }
}
