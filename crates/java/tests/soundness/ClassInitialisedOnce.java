/** Two threads need a class at the same time: one initialises it, the other one waits. */
public class ClassInitialisedOnce {
    static int times;
    static int ours;
    static int theirs;

    static class Lazy {
        static int value;

        static {
            times++;
            value = 1;
            value = 5;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> theirs = Lazy.value);
        t.start();
        ours = Lazy.value;
        t.join();
        assert times == 1 && ours == 5 && theirs == 5;
    }
}
