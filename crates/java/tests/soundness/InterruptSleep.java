/** A sleeper is woken early, or sleeps to the end and is interrupted afterwards. */
public class InterruptSleep {
    static int ended;
    static boolean flag;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(1);
                ended = 1;
            } catch (InterruptedException e) {
                ended = 2;
            }
            flag = Thread.interrupted();
        });
        t.start();
        t.interrupt();
        t.join();
        assert ended == 1 || !flag;
    }
}
