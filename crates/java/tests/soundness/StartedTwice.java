/** Two threads start a third one: one of them is too late. */
public class StartedTwice {
    static int n;
    static int late;

    static void start(Thread thread) {
        try {
            thread.start();
        } catch (IllegalThreadStateException e) {
            late++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread third = new Thread(() -> n++);
        Thread t = new Thread(() -> start(third));
        t.start();
        start(third);
        t.join();
        third.join();
        assert n == 1 && late == 1;
    }
}
