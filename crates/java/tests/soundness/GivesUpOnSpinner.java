import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Who spins does not get on, so that a time-out comes although a thread can run. */
public class GivesUpOnSpinner {
    static volatile boolean running = true;
    static volatile boolean paused;
    static boolean opened = true;

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            while (running && !paused) {
            }
        });
        t.start();
        opened = latch.await(5, TimeUnit.SECONDS);
        running = false;
        t.join();
    }
}
