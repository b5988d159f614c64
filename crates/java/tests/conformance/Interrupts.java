import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Interruption of sleep, wait, join, park, lock and queue operations, and of running threads. */
public class Interrupts {
    interface Blocking {
        void run() throws Exception;
    }

    static void interruptWhile(String what, Blocking body) throws Exception {
        String[] result = new String[1];
        Thread t = new Thread(() -> {
            try {
                body.run();
                result[0] = "returned, flag " + Thread.currentThread().isInterrupted();
            } catch (Exception e) {
                result[0] = e.getClass().getSimpleName() + " " + e.getMessage() + ", flag " + Thread.currentThread().isInterrupted();
            }
        });
        t.start();
        while (t.getState() != Thread.State.WAITING && t.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        t.interrupt();
        t.join();
        System.out.println(what + ": " + result[0] + ", after its end " + t.isInterrupted());
    }

    public static void main(String[] args) throws Exception {
        Object monitor = new Object();
        Thread main = Thread.currentThread();
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        interruptWhile("sleep", () -> Thread.sleep(1_000_000));
        interruptWhile("wait", () -> {
            synchronized (monitor) {
                monitor.wait();
            }
        });
        interruptWhile("timed wait", () -> {
            synchronized (monitor) {
                monitor.wait(1_000_000);
            }
        });
        interruptWhile("join", main::join);
        interruptWhile("park", LockSupport::park);
        interruptWhile("parkNanos", () -> LockSupport.parkNanos(Long.MAX_VALUE));
        interruptWhile("lockInterruptibly", lock::lockInterruptibly);
        interruptWhile("tryLock", () -> lock.tryLock(1, TimeUnit.DAYS));
        interruptWhile("latch", () -> new CountDownLatch(1).await());
        interruptWhile("queue", () -> new LinkedBlockingQueue<String>().take());
        interruptWhile("semaphore", () -> new Semaphore(0).acquire());
        interruptWhile("future", () -> new CompletableFuture<String>().get());
        interruptWhile("barrier", () -> new CyclicBarrier(2).await());

        main.interrupt();
        System.out.println(main.isInterrupted() + " " + Thread.interrupted() + " " + Thread.interrupted());
        main.interrupt();
        try {
            Thread.sleep(0);
            System.out.println("not reached");
        } catch (InterruptedException e) {
            System.out.println("pending: " + e.getMessage() + " " + main.isInterrupted());
        }
        main.interrupt();
        LockSupport.park();
        System.out.println("park returned at once, flag " + Thread.interrupted());
        Thread running = new Thread(() -> {
            long n = 0;
            while (!Thread.currentThread().isInterrupted()) n++;
            System.out.println("stopped: " + (n >= 0) + " " + Thread.interrupted());
        });
        running.start();
        running.interrupt();
        running.join();
        Thread unstarted = new Thread(() -> System.out.println("interrupted before its start: " + Thread.interrupted()));
        unstarted.interrupt();
        unstarted.start();
        unstarted.join();
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CountDownLatch started = new CountDownLatch(1);
        Future<?> f = pool.submit(() -> {
            started.countDown();
            Thread.sleep(1_000_000);
            return null;
        });
        started.await();
        System.out.println(f.cancel(true) + " " + f.isCancelled() + " " + pool.shutdownNow().size());
        System.out.println(pool.awaitTermination(1, TimeUnit.MINUTES));
    }
}
