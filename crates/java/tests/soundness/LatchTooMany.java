import java.util.concurrent.CountDownLatch;

/** One way through the code does not count down. */
public class LatchTooMany {
    static boolean skip;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            if (!skip) {
                latch.countDown();
            }
        });
        t.start();
        skip = true;
        latch.await();
    }
}
