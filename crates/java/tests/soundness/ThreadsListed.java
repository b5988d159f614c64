/** A thread that is about to end is among all threads, or is not. */
public class ThreadsListed {
    static boolean listed;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { });
        t.start();
        listed = Thread.getAllStackTraces().containsKey(t);
        t.join();
    }
}
