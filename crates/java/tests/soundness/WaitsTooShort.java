import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The thread that is waited for may sleep for longer than that. */
public class WaitsTooShort {
    static boolean opened;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(9000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            latch.countDown();
        });
        t.start();
        opened = latch.await(5, TimeUnit.SECONDS);
        t.join();
    }
}
