//! clean
//! found exception broken
// A thread is started once. Broken: two threads may start it.
public class ThreadStartedTwice {
    static boolean started;

    static synchronized boolean first() {
        boolean is = !started;
        started = true;
        return is;
    }

    public static void main(String[] args) throws Exception {
        Thread task = new Thread(() -> {});
        Runnable start = () -> {
            if (args.length > 0 ? task.getState() == Thread.State.NEW : first()) task.start();
        };
        Thread other = new Thread(start);
        other.start();
        start.run();
        other.join();
        task.join();
    }
}
