/** An object becomes shared because a reference to it is copied into an array that is. */
public class PublishedByArraycopy {
    static boolean added;

    public static void main(String[] args) throws Exception {
        Object[] shared = new Object[1];
        Thread t = new Thread(() -> {
            int[] read = (int[]) shared[0];
            if (read != null) {
                read[0]++;
                added = true;
            }
        });
        t.start();
        int[] cell = new int[1];
        Object[] own = {cell};
        System.arraycopy(own, 0, shared, 0, 1);
        cell[0]++;
        t.join();
        assert cell[0] == (added ? 2 : 1);
    }
}
