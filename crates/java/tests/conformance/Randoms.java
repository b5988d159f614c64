import java.util.*;
import java.util.random.RandomGenerator;
import java.util.stream.*;

/** Generators of random numbers with given seeds: the sequences are specified. */
public class Randoms {
    public static void main(String[] args) {
        Random r = new Random(42);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(64) + " " + r.nextLong() + " " + r.nextBoolean() + " " + r.nextFloat() + " " + r.nextDouble() + " " + r.nextGaussian() + " " + r.nextGaussian());
        byte[] bytes = new byte[7];
        r.nextBytes(bytes);
        System.out.println(Arrays.toString(bytes) + " " + r.nextInt(5, 10) + " " + r.nextLong(1L << 40) + " " + r.nextDouble(2, 3));
        System.out.println(r.ints(5, 0, 10).boxed().toList() + " " + r.longs(2).boxed().toList() + " " + r.doubles(2).boxed().toList());
        r.setSeed(42);
        System.out.println(r.nextInt() == new Random(42).nextInt());
        SplittableRandom s = new SplittableRandom(7);
        SplittableRandom child = s.split();
        System.out.println(s.nextInt() + " " + s.nextLong() + " " + s.nextInt(3, 9) + " " + s.nextDouble() + " " + child.nextInt(1000) + " " + child.nextBoolean() + " " + s.ints(3, 0, 5).boxed().toList());
        List<Integer> list = IntStream.range(0, 10).boxed().collect(Collectors.toList());
        Collections.shuffle(list, new Random(1));
        System.out.println(list);
        int[] buckets = new int[6];
        Random dice = new Random(-3);
        for (int i = 0; i < 6000; i++) buckets[dice.nextInt(6)]++;
        System.out.println(Arrays.toString(buckets));
        for (Runnable bad : new Runnable[] {() -> r.nextInt(0), () -> r.nextInt(3, 3), () -> r.ints(-1), () -> s.nextLong(0)}) {
            try {
                bad.run();
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        class Counting extends Random {
            int calls;

            @Override
            protected int next(int bits) {
                calls++;
                return calls << (bits - 8);
            }
        }
        Counting c = new Counting();
        System.out.println(c.nextInt() + " " + c.nextLong() + " " + c.nextDouble() + " " + c.nextInt(10) + " " + c.calls);
        RandomGenerator g = new Random(5);
        System.out.println(g.nextExponential() + " " + g.nextInt(7) + " " + (Math.random() < 1) + " " + new UUID(new Random(9).nextLong(), 1));
    }
}
