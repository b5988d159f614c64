/** The step that shows that a field is written after all is the one that fails; other failures are found all the same. */
public class FailsAndTeaches {
    static class Box {
        int value = 1;
    }

    static volatile int rounds;

    public static void main(String[] args) throws Exception {
        Box box = new Box();
        Thread t = new Thread(() -> {
            int first = box.value;
            if (first != box.value) {
                throw new IllegalStateException("it has changed");
            }
        });
        t.start();
        rounds = 1;
        if (rounds == 1) {
            box.value = 2;
            assert rounds == 0;
        }
    }
}
