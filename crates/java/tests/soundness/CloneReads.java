/** Cloning an array reads it: others may come before. */
public class CloneReads {
    static int flag;
    static int[] array = new int[1];
    static int seen, copied;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            flag = 1;
            array[0] = 1;
        });
        t.start();
        seen = flag;
        copied = array.clone()[0];
        t.join();
    }
}
