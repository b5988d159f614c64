/** One element of an array that two threads write, in an array of arrays. */
public class ArrayShared {
    public static void main(String[] args) throws Exception {
        int[][] data = {new int[1], null};
        data[1] = data[0];
        Thread t = new Thread(() -> data[0][0]++);
        t.start();
        data[1][0]++;
        t.join();
        assert data[0][0] == 2;
    }
}
