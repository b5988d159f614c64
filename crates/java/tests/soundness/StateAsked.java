/** The state of a thread, asked from outside. */
public class StateAsked {
    static Thread.State before;
    static int state;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
        });
        before = t.getState();
        t.start();
        synchronized (lock) {
            state = t.getState().ordinal();
        }
        t.join();
        assert before == Thread.State.NEW && t.getState() == Thread.State.TERMINATED;
    }
}
