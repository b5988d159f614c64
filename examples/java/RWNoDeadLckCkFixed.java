/**
 * Readers and writers with preference for writers, after RWNoDeadLckCk of PRSS 2007 (Table 1).
 * The repaired twin of RWNoDeadLckCk.java: a writer that was woken looks again whether it may write.
 * Parameters: readers, writers, bound (accesses of each thread); the paper's are 2 2 100.
 *
 * sojourner check examples/java/RWNoDeadLckCkFixed.java -- 1 2 1: clean
 */
public class RWNoDeadLckCkFixed {
    private int activeReaders;
    private int activeWriters;
    private int waitingWriters;
    private int value;

    synchronized void beforeRead() throws InterruptedException {
        while (activeWriters > 0 || waitingWriters > 0) {
            wait();
        }
        activeReaders++;
    }

    synchronized void afterRead() {
        activeReaders--;
        notifyAll();
    }

    synchronized void beforeWrite() throws InterruptedException {
        waitingWriters++;
        while (activeReaders > 0 || activeWriters > 0) {
            wait();
        }
        waitingWriters--;
        activeWriters++;
    }

    synchronized void afterWrite() {
        activeWriters--;
        notifyAll();
    }

    void read(int bound) {
        try {
            for (int i = 0; i < bound; i++) {
                beforeRead();
                int seen = value;
                assert value == seen : "the value changed under a reader";
                afterRead();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void write(int bound) {
        try {
            for (int i = 0; i < bound; i++) {
                beforeWrite();
                int seen = value;
                value = seen + 1;
                assert value == seen + 1 : "the value changed under a writer";
                afterWrite();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int readers = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int writers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int bound = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        RWNoDeadLckCkFixed data = new RWNoDeadLckCkFixed();
        Thread[] threads = new Thread[readers + writers];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i < readers ? new Thread(() -> data.read(bound)) : new Thread(() -> data.write(bound));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert data.value == writers * bound : "a write was lost";
    }
}
