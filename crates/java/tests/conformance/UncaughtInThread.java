/** An exception ends its thread only: the text names the thread, others go on, the status stays 0. */
public class UncaughtInThread {
    static class Quiet extends RuntimeException {
        Quiet() {
            super(null, null, false, false);
        }
    }

    static void run(String name, Runnable body) throws InterruptedException {
        Thread t = new Thread(body, name);
        t.start();
        t.join();
        System.out.println(name + " " + t.getState() + " " + t.isAlive());
    }

    public static void main(String[] args) throws Exception {
        run("divider", new Runnable() {
            public void run() {
                System.out.println(1 / (Thread.currentThread().getName().length() - 7));
            }
        });
        run("asserter", new Runnable() {
            public void run() {
                assert args.length == 5 : "five arguments, not " + args.length;
            }
        });
        run("quiet", new Runnable() {
            public void run() {
                throw new Quiet();
            }
        });
        run("with space", new Runnable() {
            public void run() {
                Object o = "text";
                System.out.println((Integer) o);
            }
        });
        Object lock = new Object();
        run("holder", new Runnable() {
            public void run() {
                synchronized (lock) {
                    throw new IllegalStateException("while holding");
                }
            }
        });
        synchronized (lock) {
            System.out.println("the lock was released");
        }
        run("killed", new Runnable() {
            public void run() {
                throw new ThreadDeath();
            }
        });
        System.out.println("main goes on");
    }
}
