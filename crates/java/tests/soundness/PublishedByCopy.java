/** The reference travels through a copy of an array. */
public class PublishedByCopy {
    static Object[] shared;

    public static void main(String[] args) throws Exception {
        int[] cell = new int[1];
        Object[] own = {cell};
        boolean[] added = new boolean[1];
        Thread t = new Thread(() -> {
            Object[] read = shared;
            if (read != null) {
                ((int[]) read[0])[0]++;
                added[0] = true;
            }
        });
        t.start();
        shared = own.clone();
        cell[0]++;
        t.join();
        assert cell[0] == (added[0] ? 2 : 1);
    }
}
