import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** CountDownLatch: starting gun and finishing line, time-outs, counting past zero, memory effects. */
public class Latches {
    static int plain;

    public static void main(String[] args) throws Exception {
        int n = 5;
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(n);
        AtomicIntegerArray results = new AtomicIntegerArray(n);
        int[] unsynchronised = new int[n];
        for (int i = 0; i < n; i++) {
            int me = i;
            new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                results.set(me, plain + me);
                unsynchronised[me] = plain * me;
                done.countDown();
            }).start();
        }
        System.out.println(start.getCount() + " " + done.getCount() + " " + done.await(1, TimeUnit.MILLISECONDS));
        plain = 10;
        start.countDown();
        done.await();
        System.out.println(results + " " + java.util.Arrays.toString(unsynchronised) + " " + done.getCount());
        done.countDown();
        System.out.println(done.getCount() + " " + done.await(0, TimeUnit.SECONDS) + " " + done.toString().replaceAll(".*\\[", "["));
        try {
            new CountDownLatch(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        new CountDownLatch(0).await();
        CountDownLatch[] stages = new CountDownLatch[6];
        for (int i = 0; i < stages.length; i++) stages[i] = new CountDownLatch(1);
        StringBuilder order = new StringBuilder();
        for (int i = stages.length - 2; i >= 0; i--) {
            int me = i;
            new Thread(() -> {
                try {
                    stages[me].await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                order.append(me);
                stages[me + 1].countDown();
            }).start();
        }
        stages[0].countDown();
        stages[stages.length - 1].await();
        System.out.println(order);
    }
}
