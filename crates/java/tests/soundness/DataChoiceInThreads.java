import sojourner.Verify;

/** Only one pair of choices, and one order, is wrong. */
public class DataChoiceInThreads {
    static int a;
    static int b;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> a = Verify.choose(1, 2) + b);
        t.start();
        b = Verify.choose(1, 2);
        t.join();
        assert a < 4;
    }
}
