import java.util.concurrent.CountDownLatch;

/** Data is there when the latch has been counted down. */
public class LatchOpens {
    static int data;
    static int seen;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            data = 1;
            latch.countDown();
            data = 2;
        });
        t.start();
        latch.await();
        seen = data;
        assert seen > 0;
        t.join();
    }
}
