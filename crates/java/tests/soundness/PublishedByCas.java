import java.util.concurrent.atomic.AtomicReference;

/** An object becomes shared by a compare-and-set. */
public class PublishedByCas {
    static boolean added;

    public static void main(String[] args) throws Exception {
        AtomicReference<int[]> shared = new AtomicReference<>();
        Thread t = new Thread(() -> {
            int[] read = shared.get();
            if (read != null) {
                read[0]++;
                added = true;
            }
        });
        t.start();
        int[] cell = new int[1];
        shared.compareAndSet(null, cell);
        cell[0]++;
        t.join();
        assert cell[0] == (added ? 2 : 1);
    }
}
