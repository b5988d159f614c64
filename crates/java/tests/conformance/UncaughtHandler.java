// exit: 3

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Handlers of uncaught exceptions: of the thread, of the group, the default; and one that throws itself. */
public class UncaughtHandler {
    static class Group extends ThreadGroup {
        Group() {
            super("group");
        }

        @Override
        public void uncaughtException(Thread t, Throwable e) {
            System.out.println("group: " + t.getName() + " " + e.getMessage() + " " + t.isAlive());
            if (e.getMessage().equals("pass on")) {
                super.uncaughtException(t, e);
            }
        }
    }

    static void run(Thread t) throws InterruptedException {
        t.start();
        t.join();
    }

    static Runnable fail(String message) {
        return () -> {
            throw new IllegalStateException(message);
        };
    }

    public static void main(String[] args) throws Exception {
        Group group = new Group();
        run(new Thread(group, fail("stay"), "g1"));
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println("default: " + t.getName() + " " + e.getMessage()));
        run(new Thread(group, fail("pass on"), "g2"));
        Thread own = new Thread(fail("own"), "t1");
        own.setUncaughtExceptionHandler((t, e) -> System.out.println("own: " + t.getName() + " " + e + " " + (t == Thread.currentThread())));
        run(own);
        System.out.println(own.getUncaughtExceptionHandler());
        run(new Thread(fail("nobody's"), "t2"));
        Thread twice = new Thread(fail("first"), "t3");
        twice.setUncaughtExceptionHandler((t, e) -> {
            System.out.println("throwing from the handler");
            throw new RuntimeException("second");
        });
        run(twice);
        ExecutorService pool = Executors.newSingleThreadExecutor(r -> new Thread(r, "pool"));
        pool.execute(fail("executed"));
        pool.submit(fail("submitted"));
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.MINUTES));
        System.out.println(new Thread(group, () -> { }).getUncaughtExceptionHandler() == group);
        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> {
            System.out.println("last: " + t.getName() + " " + e.getMessage());
            System.exit(3);
        });
        throw new Exception("main's");
    }
}
