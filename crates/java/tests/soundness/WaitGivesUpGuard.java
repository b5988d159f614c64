/** What a lock guards can be written by others while its owner waits. */
public class WaitGivesUpGuard {
    static int n;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                n++;
                lock.notify();
            }
        });
        t.start();
        boolean same;
        synchronized (lock) {
            int before = n;
            lock.wait(5);
            same = n == before;
        }
        t.join();
        assert same;
    }
}
