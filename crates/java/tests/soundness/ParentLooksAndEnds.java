/** Who starts a thread reads what that thread writes, and ends: all of it may come behind the write. */
public class ParentLooksAndEnds {
    int value;

    public static void main(String[] args) {
        ParentLooksAndEnds shared = new ParentLooksAndEnds();
        new Thread(() -> shared.value = 1).start();
        assert shared.value == 0;
    }
}
