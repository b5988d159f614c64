import java.util.concurrent.atomic.AtomicInteger;

/** The function of an update is called again if somebody was in between. */
public class UpdateCallsBack {
    static int calls;
    static int result;

    public static void main(String[] args) throws Exception {
        AtomicInteger n = new AtomicInteger(1);
        Thread t = new Thread(() -> n.set(5));
        t.start();
        n.updateAndGet(old -> {
            calls++;
            return old + 1;
        });
        t.join();
        result = n.get();
        assert result == 6 || result == 5 && calls == 1;
    }
}
