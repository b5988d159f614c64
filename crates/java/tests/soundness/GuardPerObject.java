/** Objects of one class, each under a lock of its own. */
public class GuardPerObject {
    static class Cell {
        final Object lock = new Object();
        int value;

        void add(int amount) {
            synchronized (lock) {
                value += amount;
            }
        }
    }

    static int result;

    public static void main(String[] args) throws Exception {
        Cell one = new Cell();
        Cell two = new Cell();
        Thread t = new Thread(() -> {
            one.add(1);
            two.add(1);
        });
        t.start();
        two.add(10);
        one.add(10);
        t.join();
        result = 100 * one.value + two.value;
        assert result == 1111;
    }
}
