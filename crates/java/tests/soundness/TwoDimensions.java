/** Rows of an array of arrays: made by one instruction, shared by two threads. */
public class TwoDimensions {
    static int[][] rows;

    public static void main(String[] args) throws Exception {
        int[][] made = new int[2][1];
        rows = made;
        Thread t = new Thread(() -> {
            made[0][0]++;
            made[1][0]++;
        });
        t.start();
        rows[1][0]++;
        t.join();
        assert made[0][0] + made[1][0] == 3;
    }
}
