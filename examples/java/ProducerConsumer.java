/**
 * Producers and consumers over a queue, after ProducerConsumer of RGDS 2007 (Table 1) and RB 2011.
 * Defect: a consumer looks whether items are still to come, releases the lock, and then takes one: two consumers may
 * both count on the last item, and the one that comes too late waits for ever.
 * Parameters: producers, consumers, items of each producer; the paper's go from 1 8 4 to 2 8 4.
 *
 * sojourner check examples/java/ProducerConsumer.java -- 1 2 2: found, deadlock
 */
public class ProducerConsumer {
    private int remaining;
    private int queued;

    ProducerConsumer(int items) {
        this.remaining = items;
    }

    synchronized void put() {
        queued++;
        notifyAll();
    }

    synchronized boolean more() {
        return remaining > 0;
    }

    synchronized void take() throws InterruptedException {
        while (queued == 0) {
            wait();
        }
        queued--;
        remaining--;
    }

    void produce(int items) {
        for (int i = 0; i < items; i++) {
            put();
        }
    }

    void consume() {
        try {
            while (more()) {
                take();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int producers = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int consumers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int items = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        ProducerConsumer queue = new ProducerConsumer(producers * items);
        Thread[] threads = new Thread[producers + consumers];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i < producers ? new Thread(() -> queue.produce(items)) : new Thread(queue::consume);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert queue.queued == 0 && queue.remaining == 0;
    }
}
