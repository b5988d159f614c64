/** What a thread has written passes to the one that waits for its end, and from that one to the next. */
public class OwnedByHeirOfHeir {
    static class Box {
        int n;
    }

    static final Box BOX = new Box();

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> BOX.n = 1);
        Thread second = new Thread(() -> {
            try {
                first.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            BOX.n += 10;
        });
        Thread other = new Thread(() -> { });
        first.start();
        second.start();
        other.start();
        second.join();
        BOX.n += 100;
        other.join();
        assert BOX.n == 111;
    }
}
