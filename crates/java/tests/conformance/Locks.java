import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** ReentrantLock: holds, fairness, tryLock, queues, illegal unlocks; LockSupport's permits. */
public class Locks {
    static int shared;

    static void await(Thread t, Thread.State state) {
        while (t.getState() != state) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.lock();
        System.out.println(lock.isLocked() + " " + lock.isHeldByCurrentThread() + " " + lock.getHoldCount() + " " + lock.isFair());
        lock.unlock();
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("unlock: " + e.getMessage());
        }
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 250; n++) {
                    lock.lock();
                    try {
                        shared++;
                    } finally {
                        lock.unlock();
                    }
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(shared + " " + lock.hasQueuedThreads());

        ReentrantLock fair = new ReentrantLock(true);
        StringBuffer order = new StringBuffer();
        fair.lock();
        Thread[] queue = new Thread[4];
        for (int i = 0; i < queue.length; i++) {
            int me = i;
            queue[i] = new Thread(() -> {
                fair.lock();
                order.append(me);
                fair.unlock();
            });
            queue[i].start();
            while (fair.getQueueLength() <= i) Thread.yield();
        }
        System.out.println(fair.getQueueLength() + " " + fair.hasQueuedThread(queue[2]) + " " + fair.isFair());
        fair.unlock();
        for (Thread t : queue) t.join();
        System.out.println("first come, first served: " + order);

        lock.lock();
        Thread tries = new Thread(() -> {
            try {
                System.out.println("tryLock " + lock.tryLock() + " " + lock.tryLock(5, TimeUnit.MILLISECONDS) + " " + lock.getHoldCount());
                lock.unlock();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } catch (IllegalMonitorStateException e) {
                System.out.println("not its owner");
            }
        });
        tries.start();
        tries.join();
        System.out.println(lock.toString().replaceAll(".*\\[L", "[L"));
        lock.unlock();
        System.out.println(lock.tryLock() + " " + lock.tryLock(1, TimeUnit.HOURS) + " " + lock.getHoldCount());

        Thread parked = new Thread(() -> {
            LockSupport.park("blocker");
            System.out.println("unparked");
        });
        parked.start();
        await(parked, Thread.State.WAITING);
        System.out.println(LockSupport.getBlocker(parked));
        LockSupport.unpark(parked);
        parked.join();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1_000_000);
        System.out.println("one permit, not two: a timed park came back");
        Lock plain = lock;
        plain.unlock();
        plain.unlock();
        System.out.println(lock.isLocked());
    }
}
