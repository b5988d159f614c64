/** Whether a thread was made before decides the name of the next one. */
public class NamesOfThreads {
    static volatile boolean flag;
    static String name;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> flag = true);
        t.start();
        if (flag) {
            new Thread(() -> {});
        }
        t.join();
        name = new Thread(() -> {}).getName();
    }
}
