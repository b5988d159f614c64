/** Two equal objects, and a third reference that leads to one of them: which one is a part of the state. */
public class AliasedEither {
    static volatile boolean flag;
    static int result;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> flag = true);
        t.start();
        int[] left = new int[1];
        int[] right = new int[1];
        int[] either = flag ? left : right;
        t.join();
        flag = false;
        left[0] = 1;
        right[0] = 2;
        result = either[0];
    }
}
