//! found assertion boolean
//! found assertion local
//! found assertion range
//! clean none
// Draws with few outcomes, by several generators.
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

public class RandomKinds {
    public static void main(String[] args) {
        switch (args[0]) {
            case "boolean" -> { Random r = new Random(); assert !(r.nextBoolean() && r.nextBoolean()); }
            case "local" -> { assert ThreadLocalRandom.current().nextInt(4) < 3; }
            case "range" -> { assert new SplittableRandom().nextInt(3, 6) != 4; }
            default -> { int n = new Random().nextInt(5); assert n >= 0 && n < 5; }
        }
    }
}
