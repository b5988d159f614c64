//! clean
//! found exception broken
// A list is walked over while another thread adds to it. Right: both hold its lock.
import java.util.ArrayList;
import java.util.List;

public class IteratorFails {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        Thread adds = new Thread(() -> {
            if (broken) {
                list.add(3);
            } else {
                synchronized (list) {
                    list.add(3);
                }
            }
        });
        adds.start();
        int sum = 0;
        synchronized (list) {
            for (int number : list) sum += number;
        }
        adds.join();
        if (sum != 3 && sum != 6) throw new AssertionError(sum);
    }
}
