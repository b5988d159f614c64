/** Fields of every width. */
public class LongAndDouble {
    static long wide;
    static double real;
    static byte small;
    static boolean flag;
    static String text = "";

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            wide = 1L << 40;
            small = (byte) wide;
            text = flag ? "late" : "early";
        });
        t.start();
        real = wide / 2.0;
        flag = true;
        t.join();
        assert real == 0 || real == 1L << 39;
    }
}
