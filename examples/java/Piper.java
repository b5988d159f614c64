/**
 * A pipe with writers and readers, after Piper of RGDS 2007 (Tables 1 and 4).
 * Defect: to save signals, a writer wakes a reader only when the pipe was empty, and a reader wakes a thread only when
 * a writer waits. Two items that come before the first woken reader runs wake one reader; a second one sleeps beside
 * its item.
 * Parameters: size, writers (one item each), readers (which share the items); the paper's are 2 2 2 to 2 16 8.
 *
 * sojourner check examples/java/Piper.java -- 2 2 2: found, deadlock
 */
public class Piper {
    private final int size;
    private int count;
    private int waitingWriters;

    Piper(int size) {
        this.size = size;
    }

    synchronized void write() {
        try {
            while (count == size) {
                waitingWriters++;
                wait();
                waitingWriters--;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        count++;
        if (count == 1) {
            notify();
        }
    }

    synchronized void read() {
        try {
            while (count == 0) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        count--;
        if (waitingWriters > 0) {
            notify();
        }
    }

    public static void main(String[] args) {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int writers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int readers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Piper pipe = new Piper(size);
        for (int i = 0; i < writers; i++) {
            new Thread(pipe::write).start();
        }
        for (int i = 0; i < readers; i++) {
            int items = writers / readers + (i < writers % readers ? 1 : 0);
            new Thread(() -> {
                for (int item = 0; item < items; item++) {
                    pipe.read();
                }
            }).start();
        }
    }
}
