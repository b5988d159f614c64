/** A thread dies of what the other one did in between. */
public class ExceptionInThread {
    static int[] data = new int[1];

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            if (data != null) {
                data[0] = 1;
            }
        });
        t.start();
        data = null;
        t.join();
    }
}
