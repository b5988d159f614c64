// exit: 7

/** Another thread exits while main waits for it. */
public class ExitFromThread {
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread exits = new Thread(() -> {
            synchronized (lock) {
                System.out.println("main waits; " + Thread.currentThread().getName() + " exits");
            }
            Runtime.getRuntime().exit(7);
        }, "exiting");
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("not reached"));
        synchronized (lock) {
            exits.start();
            while (true) {
                lock.wait();
                System.out.println("not reached");
            }
        }
    }
}
