/**
 * A pipe with writers and readers, after Piper of RGDS 2007 (Tables 1 and 4). It is a ring: one of its places always
 * stays empty.
 * Defect: a writer wakes one thread, which may be another writer while a reader sleeps, and a reader likewise: threads
 * of the wrong kind go back to sleep, and the signal is lost.
 * Parameters: size, writers (one item each), readers (which share the items); the paper's are 2 2 2 to 2 16 8.
 *
 * sojourner check examples/java/Piper.java -- 2 2 2: found, deadlock
 */
public class Piper {
    private final int size;
    private int count;

    Piper(int size) {
        this.size = size;
    }

    synchronized void write() {
        try {
            while (count == size - 1) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        count++;
        notify();
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
        notify();
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
