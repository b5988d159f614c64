/** The last thread takes another lock than those before it had, and nobody has waited for their ends. */
public class LocksAfterEnds {
    static final Object first = new Object(), second = new Object();
    static volatile boolean done;
    static int value;

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (first) {
                done = true;
                int before = value;
                value = before + 1;
                assert value == before + 1;
            }
        }).start();
        while (!done) {
            Thread.onSpinWait();
        }
        synchronized (second) {
            value = 5;
        }
    }
}
