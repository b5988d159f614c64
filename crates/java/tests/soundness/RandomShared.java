import java.util.Random;

/** Threads that draw from one generator without a seed get different numbers, whoever is first. */
public class RandomShared {
    static final Random random = new Random();
    static long one, two;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> one = random.nextInt());
        Thread second = new Thread(() -> two = random.nextInt());
        first.start();
        second.start();
        first.join();
        second.join();
        assert one != two;
    }
}
