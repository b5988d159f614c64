/** What is stored in an object that others know is known to the next thread, even if nobody else was there at the time. */
public class StoredWhileAlone {
    static class Box {
        int[] cell;
    }

    static Box box = new Box();

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> box.cell = null);
        first.start();
        first.join();
        box.cell = new int[1];
        Thread second = new Thread(() -> box.cell[0]++);
        second.start();
        box.cell[0]++;
        second.join();
        assert box.cell[0] == 2;
    }
}
