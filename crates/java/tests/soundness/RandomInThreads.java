import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** Every value that a generator without a seed can draw is tried, in every thread. */
public class RandomInThreads {
    static final Random random = new Random();
    static int one;
    static boolean two;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> one = random.nextInt(2));
        Thread second = new Thread(() -> two = ThreadLocalRandom.current().nextBoolean());
        first.start();
        second.start();
        first.join();
        second.join();
        assert one == 0 || !two;
    }
}
