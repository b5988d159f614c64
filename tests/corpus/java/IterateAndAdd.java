//! clean
//! found exception broken
// A list is changed while another thread goes over it.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

public class IterateAndAdd {
    public static void main(String[] args) {
        List<Integer> list = args.length > 0 ? new ArrayList<>() : new CopyOnWriteArrayList<>();
        list.add(1);
        list.add(2);
        new Thread(() -> list.add(3)).start();
        int sum = 0;
        for (int n : list) sum += n;
    }
}
