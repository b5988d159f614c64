//! found assertion
//! clean seeded
// One of six outcomes of an unseeded generator is bad; a seeded one never shows it.
import java.util.Random;

public class RandomDraw {
    public static void main(String[] args) {
        if (args.length > 0) {
            Random seeded = new Random(42);
            int first = seeded.nextInt(6);
            assert first == new Random(42).nextInt(6);
        } else {
            assert new Random().nextInt(6) != 5;
        }
    }
}
