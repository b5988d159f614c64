//! clean
//! found assertion broken
// Size and add of a synchronized list under its lock; broken: each call locks on its own.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
public class SynchronizedCollections {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Runnable addOne = () -> {
            if (broken) { if (list.size() < 1) list.add(1); }
            else synchronized (list) { if (list.size() < 1) list.add(1); }
        };
        Thread a = new Thread(addOne), b = new Thread(addOne);
        a.start(); b.start(); a.join(); b.join();
        assert list.size() == 1;
    }
}
