/** A loop without visible operations, in a thread. */
public class Quiet {
    static int result;

    public static void main(String[] arguments) throws Exception {
        Thread thread = new Thread(() -> {
            long sum = 0;
            for (long i = 0; i < 1L << 44; i++) {
                sum += i * i;
            }
            result = (int) sum;
        });
        thread.start();
        thread.join();
    }
}
