import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Conditions of a lock: bounded buffer, signal in order, time-outs, uninterruptible waits, misuse. */
public class Conditions {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition notFull = lock.newCondition();
    static final Condition notEmpty = lock.newCondition();
    static final int[] ring = new int[3];
    static int head, count;

    static void put(int v) throws InterruptedException {
        lock.lock();
        try {
            while (count == ring.length) notFull.await();
            ring[(head + count++) % ring.length] = v;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    static int take() throws InterruptedException {
        lock.lock();
        try {
            while (count == 0) notEmpty.await();
            int v = ring[head];
            head = (head + 1) % ring.length;
            count--;
            notFull.signal();
            return v;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) put(i);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        long mixed = 0;
        for (int i = 0; i < 50; i++) mixed = mixed * 3 + take();
        producer.join();
        System.out.println(mixed + " " + count);

        Condition c = lock.newCondition();
        StringBuffer order = new StringBuffer();
        Thread[] waiters = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            waiters[i] = new Thread(() -> {
                lock.lock();
                try {
                    c.awaitUninterruptibly();
                    order.append(me);
                } finally {
                    lock.unlock();
                }
            });
            waiters[i].start();
            while (waiting(c) <= i) Thread.yield();
        }
        waiters[1].interrupt();
        lock.lock();
        System.out.println(lock.hasWaiters(c) + " " + lock.getWaitQueueLength(c) + " " + lock.hasWaiters(notFull));
        c.signal();
        c.signal();
        System.out.println(lock.getWaitQueueLength(c) + " left");
        c.signalAll();
        lock.unlock();
        for (Thread t : waiters) t.join();
        System.out.println("in order: " + order);

        lock.lock();
        System.out.println(c.await(1, TimeUnit.MILLISECONDS) + " " + (c.awaitNanos(1000) <= 0) + " " + c.awaitUntil(new java.util.Date(0)));
        Thread.currentThread().interrupt();
        try {
            c.await();
        } catch (InterruptedException e) {
            System.out.println("interrupted, holds: " + lock.isHeldByCurrentThread());
        }
        lock.unlock();
        for (Runnable r : new Runnable[] {c::signal, c::awaitUninterruptibly, () -> lock.hasWaiters(c)}) {
            try {
                r.run();
                System.out.println("not reached");
            } catch (IllegalMonitorStateException e) {
                System.out.println("IllegalMonitorStateException");
            }
        }
    }

    static int waiting(Condition c) {
        lock.lock();
        try {
            return lock.getWaitQueueLength(c);
        } finally {
            lock.unlock();
        }
    }
}
