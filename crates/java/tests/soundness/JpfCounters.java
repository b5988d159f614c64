import gov.nasa.jpf.vm.Verify;

/** Counters, sets of bits and numbers by name of Java PathFinder's class: every operation is atomic. */
public class JpfCounters {
    static int first;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            Verify.incrementCounter(1);
            Verify.setBitInBitSet(0, 3, true);
            Verify.putValue("t", 1);
        });
        t.start();
        if (Verify.incrementCounter(1) == 1) {
            first = 1;
        }
        Verify.setBitInBitSet(0, 4, true);
        Verify.putValue("main", 2);
        t.join();
        assert Verify.getCounter(1) == 2 && Verify.getCounter(0) == 0;
        assert Verify.getBitInBitSet(0, 3) && Verify.getBitInBitSet(0, 4);
        assert Verify.getValue("t") == 1 && Verify.getValue("main") == 2;
    }
}
