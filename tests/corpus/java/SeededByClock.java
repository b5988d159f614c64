//! found assertion
//! clean fixed
// A generator that is seeded by the clock draws one of three numbers. With a fixed seed it always draws the same.
import java.util.Random;

public class SeededByClock {
    public static void main(String[] args) throws Exception {
        Random random = new Random(args.length > 0 ? 5 : System.nanoTime());
        int expected = new Random(5).nextInt(3);
        int[] drawn = new int[1];
        Thread draws = new Thread(() -> drawn[0] = random.nextInt(3));
        draws.start();
        draws.join();
        assert drawn[0] == expected;
    }
}
