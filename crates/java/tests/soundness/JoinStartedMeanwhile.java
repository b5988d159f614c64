/** Whether the join waits depends on whether the thread has been started since the flag was raised. */
public class JoinStartedMeanwhile {
    static volatile boolean flag;
    static int n;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread second = new Thread(() -> {
            synchronized (lock) {
                n++;
            }
        });
        Thread first = new Thread(() -> {
            if (flag) {
                second.start();
            }
        });
        first.start();
        synchronized (lock) {
            flag = true;
            second.join();
        }
    }
}
