import java.util.Arrays;

/** Life of a thread: states, join with and without time, sleep, priorities, names, subclasses. */
public class ThreadJoinSleep {
    static class Counter extends Thread {
        long result;

        Counter(String name) {
            super(name);
        }

        @Override
        public void run() {
            for (int i = 1; i <= 1000; i++) result += i;
        }
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + " " + main.getState() + " " + main + " " + main.getId());
        Counter c = new Counter("counter");
        System.out.println(c.getState() + " " + c.isAlive());
        c.join();
        c.setPriority(Thread.MAX_PRIORITY);
        c.start();
        c.join();
        System.out.println(c.result + " " + c.getState() + " " + c.isAlive() + " " + c.getThreadGroup());
        attempt("twice", c::start);
        attempt("priority", () -> c.setPriority(11));
        attempt("null name", () -> new Thread((String) null));
        attempt("negative sleep", () -> {
            try {
                Thread.sleep(-1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        long before = System.nanoTime();
        Thread.sleep(20);
        Thread.sleep(1, 500_000);
        long passed = System.nanoTime() - before;
        System.out.println("slept long enough: " + (passed >= 20_000_000));
        long clock = System.currentTimeMillis();
        Thread.sleep(15);
        System.out.println("the clock went on: " + (System.currentTimeMillis() - clock >= 14));
        Object gate = new Object();
        Thread sleeper = new Thread(() -> {
            synchronized (gate) {
                System.out.println("sleeper has the gate");
            }
        }, "sleeper");
        synchronized (gate) {
            sleeper.start();
            sleeper.join(10);
            sleeper.join(1, 1);
            System.out.println("still alive: " + sleeper.isAlive());
        }
        sleeper.join(0);
        Thread[] chain = new Thread[5];
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < chain.length; i++) {
            int me = i;
            chain[i] = new Thread(() -> {
                try {
                    if (me > 0) chain[me - 1].join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                order.append(me);
            });
        }
        for (Thread t : chain) t.start();
        chain[4].join();
        System.out.println(order + " " + Arrays.stream(chain).noneMatch(Thread::isAlive));
        Thread renamed = new Thread(() -> System.out.println(Thread.currentThread().getName()));
        renamed.setName("renamed");
        renamed.start();
        renamed.join();
        System.out.println(Arrays.toString(Thread.State.values()) + " " + renamed.getStackTrace().length);
    }
}
