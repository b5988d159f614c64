/**
 * A bounded buffer between endless producers and consumers, after BoundedBuffer of PRSS 2007 (Table 1) and JPF 2001.
 * Defect: producers and consumers wait in one wait set and are woken by `notify`: the one that is woken may be of the
 * wrong kind, go to sleep again, and leave all threads asleep. Needs producers + consumers > 2 * size.
 * Parameters: size, producers, consumers, modulus (the items are counted up to it, which keeps the states finite); the
 * paper's are 3 6 6 1.
 *
 * sojourner check examples/java/BoundedBuffer.java -- 1 2 1 1: found, deadlock
 */
public class BoundedBuffer {
    private final int[] items;
    private final int modulus;
    private int count;
    private int next;

    BoundedBuffer(int size, int modulus) {
        this.items = new int[size];
        this.modulus = modulus;
    }

    synchronized void put(int item) throws InterruptedException {
        while (count == items.length) {
            wait();
        }
        items[(next + count) % items.length] = item;
        count++;
        notify();
    }

    synchronized int take() throws InterruptedException {
        while (count == 0) {
            wait();
        }
        int item = items[next];
        items[next] = 0;
        next = (next + 1) % items.length;
        count--;
        notify();
        return item;
    }

    void produce() {
        try {
            for (int item = 0; ; item = (item + 1) % modulus) {
                put(item);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void consume() {
        try {
            while (true) {
                int item = take();
                assert 0 <= item && item < modulus;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int producers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int consumers = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        int modulus = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        BoundedBuffer buffer = new BoundedBuffer(size, modulus);
        for (int i = 0; i < producers; i++) {
            new Thread(buffer::produce).start();
        }
        for (int i = 0; i < consumers; i++) {
            new Thread(buffer::consume).start();
        }
    }
}
