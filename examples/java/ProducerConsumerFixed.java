/**
 * Producers and consumers over a queue, after ProducerConsumer of RGDS 2007 (Table 1) and RB 2011.
 * The repaired twin of ProducerConsumer.java: looking and taking are one synchronized step.
 * Parameters: producers, consumers, items of each producer; the paper's go from 1 8 4 to 2 8 4.
 *
 * sojourner check examples/java/ProducerConsumerFixed.java -- 1 2 2: clean
 */
public class ProducerConsumerFixed {
    private int remaining;
    private int queued;

    ProducerConsumerFixed(int items) {
        this.remaining = items;
    }

    synchronized void put() {
        queued++;
        notifyAll();
    }

    /** Takes an item; false when none is to come. */
    synchronized boolean take() throws InterruptedException {
        if (remaining == 0) {
            return false;
        }
        remaining--;
        while (queued == 0) {
            wait();
        }
        queued--;
        return true;
    }

    void produce(int items) {
        for (int i = 0; i < items; i++) {
            put();
        }
    }

    void consume() {
        try {
            while (take()) {
                // The item is consumed.
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int producers = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int consumers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int items = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        ProducerConsumerFixed queue = new ProducerConsumerFixed(producers * items);
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
