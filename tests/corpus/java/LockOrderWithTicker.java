//! found deadlock
//! found deadlock daemon
// Two threads deadlock while another one goes on for ever, or are daemons of a program that ends.
import java.util.concurrent.locks.ReentrantLock;

public class LockOrderWithTicker {
    static volatile int ticks;

    public static void main(String[] args) throws Exception {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        Thread x = new Thread(() -> { a.lock(); b.lock(); b.unlock(); a.unlock(); });
        Thread y = new Thread(() -> { b.lock(); a.lock(); a.unlock(); b.unlock(); });
        if (args.length > 0) {
            x.setDaemon(true);
            y.setDaemon(true);
            x.start(); y.start();
            return;
        }
        x.start(); y.start();
        while (x.isAlive() || y.isAlive()) {
            ticks = 1 - ticks;
            Thread.sleep(1);
        }
    }
}
