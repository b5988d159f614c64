import sojourner.Verify;

/**
 * Readers and writers with preference for writers, after RWNoExcpChk of RGDS 2007 (Tables 1 and 6).
 * Defect: a writer that is interrupted while it waits leaves by the exception and does not take back its claim
 * (`waitingWriters`): no reader is ever let in again.
 * Parameters: readers, writers, bound (accesses of each thread); the paper's are 2 readers, 1 writer, bound 100. The
 * main thread interrupts the first writer or does not; both are explored.
 *
 * sojourner check examples/java/RWNoExcpChk.java -- 2 1 1: found, deadlock
 */
public class RWNoExcpChk {
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
            // This writer was told to give up.
        }
    }

    public static void main(String[] args) {
        int readers = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int writers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int bound = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        RWNoExcpChk data = new RWNoExcpChk();
        Thread[] threads = new Thread[readers + writers];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i < readers ? new Thread(() -> data.read(bound)) : new Thread(() -> data.write(bound));
            threads[i].start();
        }
        if (Verify.choose()) {
            threads[readers].interrupt();
        }
    }
}
