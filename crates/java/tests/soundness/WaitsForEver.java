import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The longest time-out there is never comes. */
public class WaitsForEver {
    static boolean opened;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            if (opened) {
                latch.countDown();
            }
        });
        t.start();
        opened = latch.await(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
}
