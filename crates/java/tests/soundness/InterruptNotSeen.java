/** The interrupt is swallowed before the thread waits. */
public class InterruptNotSeen {
    static int steps;

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread t = new Thread(() -> {
            Thread.interrupted();
            steps = 1;
            synchronized (monitor) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    steps = 2;
                }
            }
        });
        t.start();
        t.interrupt();
        t.join();
    }
}
