/** After the join the object belongs to the main thread alone, until it starts the next one. */
public class PrivateAgain {
    static int result;

    public static void main(String[] args) throws Exception {
        int[] cell = new int[1];
        Thread first = new Thread(() -> cell[0]++);
        Thread second = new Thread(() -> cell[0] *= 2);
        first.start();
        first.join();
        cell[0]++;
        second.start();
        second.join();
        cell[0]++;
        result = cell[0];
        assert result == 5;
    }
}
