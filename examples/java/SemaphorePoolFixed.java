import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A pool of resources behind a semaphore; which one is free is kept in an atomic array.
 * The repaired twin of SemaphorePool.java: looking and taking are one compare-and-set.
 * Parameters: threads, resources.
 *
 * sojourner check examples/java/SemaphorePoolFixed.java -- 2 2: clean
 */
public class SemaphorePoolFixed {
    private final Semaphore permits;
    private final AtomicIntegerArray taken;
    private final AtomicIntegerArray users;

    SemaphorePoolFixed(int resources) {
        this.permits = new Semaphore(resources);
        this.taken = new AtomicIntegerArray(resources);
        this.users = new AtomicIntegerArray(resources);
    }

    int take() throws InterruptedException {
        permits.acquire();
        int resource = 0;
        while (!taken.compareAndSet(resource, 0, 1)) {
            resource = (resource + 1) % taken.length();
        }
        return resource;
    }

    void giveBack(int resource) {
        taken.set(resource, 0);
        permits.release();
    }

    void use() {
        try {
            int resource = take();
            int others = users.getAndIncrement(resource);
            assert others == 0 : "the resource was handed out twice";
            users.decrementAndGet(resource);
            giveBack(resource);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int resources = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        SemaphorePoolFixed pool = new SemaphorePoolFixed(resources);
        for (int i = 0; i < threads; i++) {
            new Thread(pool::use).start();
        }
    }
}
