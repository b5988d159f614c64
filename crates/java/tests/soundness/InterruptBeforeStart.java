/** A thread is interrupted, perhaps before it is started. */
public class InterruptBeforeStart {
    static boolean flag;

    public static void main(String[] args) throws Exception {
        Thread second = new Thread(() -> flag = Thread.currentThread().isInterrupted());
        Thread first = new Thread(second::start);
        first.start();
        second.interrupt();
        first.join();
        second.join();
    }
}
