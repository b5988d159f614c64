import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Striped adders and accumulators, alone and contended. */
public class Adders {
    public static void main(String[] args) throws Exception {
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Long::max, Long.MIN_VALUE);
        LongAccumulator product = new LongAccumulator((a, b) -> a * b, 1);
        DoubleAdder doubles = new DoubleAdder();
        DoubleAccumulator min = new DoubleAccumulator(Math::min, Double.POSITIVE_INFINITY);
        ConcurrentHashMap<Integer, LongAdder> counts = new ConcurrentHashMap<>();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 500; n++) {
                    adder.add(n);
                    adder.increment();
                    max.accumulate(n * (me + 1));
                    doubles.add(0.5);
                    min.accumulate(me - n);
                    counts.computeIfAbsent(n % 3, k -> new LongAdder()).increment();
                }
                product.accumulate(me + 2);
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(adder + " " + adder.intValue() + " " + max + " " + product.get() + " " + doubles + " " + min);
        System.out.println(counts);
        System.out.println(adder.sumThenReset() + " " + adder.sum());
        adder.decrement();
        System.out.println(adder.longValue() + " " + adder.doubleValue());
        adder.reset();
        System.out.println(adder.sum() + " " + max.getThenReset() + " " + max.get());
        System.out.println(doubles.sumThenReset() + " " + doubles.sum() + " " + min.intValue() + " " + min.getThenReset() + " " + min.get());
    }
}
