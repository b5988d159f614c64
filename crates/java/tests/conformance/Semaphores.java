import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Semaphores: permits, bounds on concurrency, fairness, draining, reducing, negative counts. */
public class Semaphores {
    static class Reducible extends Semaphore {
        Reducible(int n) {
            super(n);
        }

        void less(int n) {
            reducePermits(n);
        }
    }

    public static void main(String[] args) throws Exception {
        Semaphore two = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger worst = new AtomicInteger();
        Thread[] threads = new Thread[6];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 20; n++) {
                    two.acquireUninterruptibly();
                    worst.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    two.release();
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println((worst.get() <= 2) + " " + two.availablePermits());
        System.out.println(two.tryAcquire() + " " + two.tryAcquire(2) + " " + two.tryAcquire(1, TimeUnit.SECONDS) + " " + two.tryAcquire());
        System.out.println(two.tryAcquire(2, 1, TimeUnit.MILLISECONDS) + " " + two.availablePermits());
        two.release(5);
        System.out.println(two.drainPermits() + " " + two.availablePermits() + " " + two.drainPermits());
        Semaphore negative = new Semaphore(-1);
        negative.release();
        System.out.println(negative.tryAcquire());
        negative.release();
        System.out.println(negative.tryAcquire() + " " + negative.toString().replaceAll(".*\\[", "["));
        for (Runnable r : new Runnable[] {() -> two.release(-1), () -> two.acquireUninterruptibly(-1)}) {
            try {
                r.run();
            } catch (IllegalArgumentException e) {
                System.out.println("negative: " + e.getMessage());
            }
        }
        Reducible reducible = new Reducible(3);
        reducible.less(5);
        System.out.println(reducible.availablePermits() + " " + reducible.tryAcquire());

        Semaphore fair = new Semaphore(0, true);
        StringBuffer order = new StringBuffer();
        Thread[] queue = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            queue[i] = new Thread(() -> {
                fair.acquireUninterruptibly(me + 1);
                order.append(me);
                fair.release(me + 1);
            });
            queue[i].start();
            while (fair.getQueueLength() <= i) Thread.yield();
        }
        System.out.println(fair.isFair() + " " + fair.hasQueuedThreads() + " " + fair.getQueueLength());
        fair.release(1);
        queue[0].join();
        fair.release(1);
        queue[1].join();
        fair.release(1);
        queue[2].join();
        System.out.println(order + " " + fair.availablePermits());
        Semaphore ping = new Semaphore(1), pong = new Semaphore(0);
        StringBuffer game = new StringBuffer();
        Thread a = new Thread(() -> turns(ping, pong, game, "ping "));
        Thread b = new Thread(() -> turns(pong, ping, game, "pong "));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(game);
    }

    static void turns(Semaphore mine, Semaphore other, StringBuffer game, String word) {
        for (int i = 0; i < 4; i++) {
            mine.acquireUninterruptibly();
            game.append(word);
            other.release();
        }
    }
}
