/** Elements of one array that belong to different threads. */
public class ArrayNeighbours {
    static int[] data = new int[2];

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            data[0]++;
            data[0]++;
        });
        t.start();
        data[1]++;
        t.join();
        assert data[0] == 2 && data[1] == 1;
    }
}
