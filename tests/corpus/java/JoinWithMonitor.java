//! clean
//! found deadlock broken
// join releases the monitor of the thread that it waits for, and no other.
public class JoinWithMonitor extends Thread {
    private boolean stop;
    static final Object other = new Object();
    private final boolean broken;

    JoinWithMonitor(boolean broken) { this.broken = broken; }

    @Override public void run() {
        synchronized (broken ? other : this) {
            if (broken) return;
            while (!stop) {
                try { wait(); } catch (InterruptedException e) { return; }
            }
        }
    }

    synchronized void close() throws InterruptedException {
        stop = true;
        notifyAll();
        join();
    }

    public static void main(String[] args) throws Exception {
        JoinWithMonitor worker = new JoinWithMonitor(args.length > 0);
        if (args.length > 0) {
            synchronized (other) { worker.start(); worker.join(); }
        } else {
            worker.start();
            worker.close();
        }
    }
}
