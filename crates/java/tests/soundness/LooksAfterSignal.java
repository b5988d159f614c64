/** A thread says that it is done, looks once more at what it was done with, and ends. The last one has joined another. */
public class LooksAfterSignal {
    static volatile boolean done;
    static int value;

    public static void main(String[] args) throws Exception {
        Thread waits = new Thread(() -> {
            while (!done) {
                Thread.onSpinWait();
            }
        });
        new Thread(() -> {
            done = true;
            assert value == 0;
        }).start();
        waits.start();
        waits.join();
        value = 1;
    }
}
