import java.util.concurrent.CountDownLatch;

/** The program ends with its last thread that is no daemon; daemons are cut off without their finally blocks. */
public class DaemonThreads {
    public static void main(String[] args) throws Exception {
        CountDownLatch ready = new CountDownLatch(2);
        Object never = new Object();
        Thread daemon = new Thread(() -> {
            try {
                synchronized (never) {
                    ready.countDown();
                    never.wait();
                }
            } catch (InterruptedException e) {
                System.out.println("not reached");
            } finally {
                System.out.println("not reached: finally of a daemon");
            }
        }, "daemon");
        daemon.setDaemon(true);
        daemon.start();
        Thread child = new Thread(() -> {
            Thread inherits = new Thread(() -> { });
            System.out.println("child of a daemon is a daemon: " + inherits.isDaemon());
            ready.countDown();
            while (true) {
                Thread.yield();
            }
        }, "spinning");
        child.setDaemon(true);
        child.start();
        ready.await();
        try {
            daemon.setDaemon(false);
        } catch (IllegalThreadStateException e) {
            System.out.println("too late: " + e.getMessage());
        }
        System.out.println(daemon.isDaemon() + " " + Thread.currentThread().isDaemon() + " " + new Thread().isDaemon());
        Thread main = Thread.currentThread();
        Thread user = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                System.out.println("not reached");
            }
            synchronized (never) {
                System.out.println("the daemon has let go of its monitor");
            }
            System.out.println("main has ended: " + main.isAlive() + " " + main.getState());
            System.out.println("daemon still there: " + daemon.isAlive() + " " + daemon.getState());
        }, "user");
        user.start();
        System.out.println("main ends");
    }
}
