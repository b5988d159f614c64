/** Nothing but its status tells that a class has been initialised. */
public class InitialisedBefore {
    static class Lazy {
        static {
            trace = 1;
        }

        static void use() {}
    }

    static volatile boolean flag;
    static int trace;
    static int result;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> flag = true);
        t.start();
        if (flag) {
            Lazy.use();
        }
        t.join();
        flag = false;
        trace = 0;
        Lazy.use();
        result = trace;
    }
}
