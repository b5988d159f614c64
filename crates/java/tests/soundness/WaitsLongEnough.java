import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Nobody is held up for as long as this latch is waited for. */
public class WaitsLongEnough {
    static int n;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            for (int i = 0; i < 2; i++) {
                n++;
            }
            latch.countDown();
        });
        t.start();
        assert latch.await(5, TimeUnit.SECONDS);
    }
}
