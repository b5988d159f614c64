//! clean
//! found exception broken
// A list is read while it grows: copy-on-write, or broken, an ArrayList.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
public class CopyOnWrite {
    public static void main(String[] args) throws Exception {
        List<Integer> list = args.length > 0 ? new ArrayList<>() : new CopyOnWriteArrayList<>();
        list.add(1);
        Thread adder = new Thread(() -> list.add(2));
        adder.start();
        int sum = 0;
        for (int item : list) sum += item;
        assert sum >= 1;
        adder.join();
    }
}
