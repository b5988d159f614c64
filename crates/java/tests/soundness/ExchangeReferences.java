import java.util.concurrent.atomic.AtomicReference;

/** An object is handed to and fro: whoever has taken it out has it alone. */
public class ExchangeReferences {
    static int result;

    static void add(AtomicReference<int[]> slot) {
        int[] cell = slot.getAndSet(null);
        if (cell != null) {
            cell[0]++;
            slot.set(cell);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicReference<int[]> slot = new AtomicReference<>(new int[1]);
        Thread t = new Thread(() -> add(slot));
        t.start();
        add(slot);
        t.join();
        result = slot.get()[0];
        assert result == 1 || result == 2;
    }
}
