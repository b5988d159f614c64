/**
 * Threads that count on one counter under its lock.
 * Parameters: threads, increments of each.
 */
public class Counter {
    private int count;

    synchronized void increment() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int increments = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        Counter counter = new Counter();
        Thread[] started = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            started[i] = new Thread(() -> {
                for (int k = 0; k < increments; k++) {
                    counter.increment();
                }
            });
            started[i].start();
        }
        for (Thread thread : started) {
            thread.join();
        }
        assert counter.count == threads * increments : counter.count;
    }
}
