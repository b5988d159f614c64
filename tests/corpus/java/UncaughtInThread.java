//! clean
//! found exception broken
// One order of two threads divides by zero.
public class UncaughtInThread {
    static volatile int divisor = 1;

    public static void main(String[] args) {
        boolean broken = args.length > 0;
        new Thread(() -> { if (broken) divisor = 0; }).start();
        new Thread(() -> { int n = 10 / divisor; }).start();
    }
}
