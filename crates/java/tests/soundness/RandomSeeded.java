import java.util.Random;

/** A generator with a seed draws the same numbers always: only who gets which is open. */
public class RandomSeeded {
    static final Random random = new Random(42);
    static int one, two;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> one = random.nextInt(10));
        Thread second = new Thread(() -> two = random.nextInt(10));
        first.start();
        second.start();
        first.join();
        second.join();
        assert one == 0 && two == 3 || one == 3 && two == 0;
    }
}
