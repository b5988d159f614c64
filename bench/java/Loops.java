/** Arithmetic, arrays and calls: nothing but the interpreter. */
public class Loops {
    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    public static void main(String[] arguments) {
        int sum = 0;
        int[] cells = new int[1000];
        for (int round = 0; round < 20_000; round++) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] += i ^ round;
                sum += cells[i] * 3;
                if ((sum & 7) == 3) {
                    sum ^= i;
                }
            }
        }
        System.out.println(sum + " " + fibonacci(32));
    }
}
