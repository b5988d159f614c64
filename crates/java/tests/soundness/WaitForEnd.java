/** Who waits on a thread is notified at its end, which needs the monitor. */
public class WaitForEnd {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> done = true);
        t.start();
        synchronized (t) {
            if (!done) {
                t.wait();
            }
        }
    }
}
