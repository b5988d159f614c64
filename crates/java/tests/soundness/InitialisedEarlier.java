/** Of two threads that stand where they stood, nothing but the status of a class tells what the second will find. */
public class InitialisedEarlier {
    static class Lazy {
        static {
            trace = 1;
        }

        static void use() {}
    }

    static volatile boolean flag;
    static volatile boolean go;
    static int trace;
    static int result;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> flag = true);
        Thread later = new Thread(() -> {
            while (!go) {
                Thread.yield();
            }
            Lazy.use();
            result = trace;
        });
        t.start();
        later.start();
        if (flag) {
            Lazy.use();
        }
        t.join();
        flag = false;
        trace = 0;
        go = true;
        later.join();
    }
}
