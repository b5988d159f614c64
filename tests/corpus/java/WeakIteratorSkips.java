//! clean
//! found assertion broken
// A weakly consistent iterator may miss what comes meanwhile. Broken: the program relies on the opposite.
import java.util.concurrent.ConcurrentSkipListSet;

public class WeakIteratorSkips {
    public static void main(String[] args) throws Exception {
        ConcurrentSkipListSet<Integer> set = new ConcurrentSkipListSet<>();
        set.add(1);
        Thread adds = new Thread(() -> set.add(2));
        adds.start();
        int seen = 0;
        for (int ignored : set) seen++;
        adds.join();
        assert args.length > 0 ? seen == set.size() : seen >= 1 && seen <= 2;
    }
}
