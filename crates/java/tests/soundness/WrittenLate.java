/** A field that nobody has written since its object is shared is written after all, at the very end. */
public class WrittenLate {
    static class Box {
        int value = 1;
    }

    public static void main(String[] args) throws Exception {
        Box box = new Box();
        int[] seen = new int[2];
        Thread t = new Thread(() -> {
            seen[0] = box.value;
            seen[1] = box.value;
        });
        t.start();
        box.value = 2;
        t.join();
        assert seen[0] == seen[1];
    }
}
