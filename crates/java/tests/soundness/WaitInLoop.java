/** The guarded wait as it should be. */
public class WaitInLoop {
    static int data;
    static int seen;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            synchronized (monitor) {
                data = 1;
                monitor.notify();
                data = 2;
            }
        });
        t.start();
        synchronized (monitor) {
            while (data == 0) {
                monitor.wait();
            }
            seen = data;
        }
        t.join();
        assert seen == 2;
    }
}
