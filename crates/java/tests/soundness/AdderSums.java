import java.util.concurrent.atomic.LongAdder;

/** Nothing that is added gets lost in the end. */
public class AdderSums {
    static long early;
    static long result;

    public static void main(String[] args) throws Exception {
        LongAdder adder = new LongAdder();
        Thread t = new Thread(() -> adder.add(2));
        t.start();
        adder.add(1);
        early = adder.sum();
        t.join();
        result = adder.sum();
        assert result == 3 && early >= 1;
    }
}
