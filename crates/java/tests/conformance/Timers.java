import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** java.util.Timer: one-off and repeating tasks in order, cancellation, a task that fails. */
public class Timers {
    static final StringBuffer log = new StringBuffer();

    static TimerTask task(String name, CountDownLatch latch) {
        return new TimerTask() {
            @Override
            public void run() {
                log.append(name).append(' ');
                latch.countDown();
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer("timer", true);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch three = new CountDownLatch(3);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, 0);
        timer.schedule(task("third", three), 400);
        timer.schedule(task("first", three), 1);
        timer.schedule(task("second", three), 200);
        TimerTask cancelled = task("cancelled", three);
        timer.schedule(cancelled, 100);
        System.out.println(cancelled.cancel() + " " + cancelled.cancel() + " " + timer.purge());
        held.countDown();
        three.await();
        System.out.println(log);
        int[] runs = new int[1];
        CountDownLatch repeated = new CountDownLatch(1);
        timer.scheduleAtFixedRate(new TimerTask() {
            @Override
            public void run() {
                if (++runs[0] == 4) {
                    cancel();
                    repeated.countDown();
                }
            }
        }, 1, 2);
        repeated.await();
        CountDownLatch later = new CountDownLatch(1);
        timer.schedule(task("later", later), 20);
        later.await();
        System.out.println(runs[0] + " " + log);
        TimerTask once = task("once", new CountDownLatch(1));
        timer.schedule(once, new java.util.Date(0));
        try {
            timer.schedule(once, 5);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        timer.cancel();
        try {
            timer.schedule(task("late", later), 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Timer(true).schedule(task("negative", later), -1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Timer fragile = new Timer("fragile");
        fragile.schedule(new TimerTask() {
            @Override
            public void run() {
                Thread.currentThread().setUncaughtExceptionHandler((t, e) -> { });
                throw new IllegalStateException("task");
            }
        }, 1);
        while (true) {
            try {
                fragile.schedule(task("x", later), 100_000);
                Thread.sleep(2);
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
                break;
            }
        }
    }
}
