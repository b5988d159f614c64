/** A loop without visible operations in an initialiser, which is one step however long it takes. */
public class Initial {
    static int result;

    static {
        long sum = 0;
        for (long i = 0; i < 1L << 44; i++) {
            sum += i * i;
        }
        result = (int) sum;
    }

    public static void main(String[] arguments) {
        System.out.println(result);
    }
}
