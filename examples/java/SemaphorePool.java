import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A pool of resources behind a semaphore; which one is free is kept in an atomic array.
 * Defect: the semaphore counts the resources, but does not say which one is free: looking for a free one and taking it
 * are two steps, and one resource is handed out twice.
 * Parameters: threads, resources.
 *
 * sojourner check examples/java/SemaphorePool.java -- 2 2: found, assertion
 */
public class SemaphorePool {
    private final Semaphore permits;
    private final AtomicIntegerArray taken;
    private final AtomicIntegerArray users;

    SemaphorePool(int resources) {
        this.permits = new Semaphore(resources);
        this.taken = new AtomicIntegerArray(resources);
        this.users = new AtomicIntegerArray(resources);
    }

    int take() throws InterruptedException {
        permits.acquire();
        int resource = 0;
        while (taken.get(resource) == 1) {
            resource = (resource + 1) % taken.length();
        }
        taken.set(resource, 1);
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
        SemaphorePool pool = new SemaphorePool(resources);
        for (int i = 0; i < threads; i++) {
            new Thread(pool::use).start();
        }
    }
}
