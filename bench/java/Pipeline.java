/**
 * Three stages in a row: a source, a stage and a sink, with a buffer for one item between each and the next. The items
 * are numbers; the stage doubles them, and the sink checks that they come in order.
 * Parameters: items, stages between source and sink.
 */
public class Pipeline {
    /** A buffer for one item. */
    private static final class Place {
        private int item;
        private boolean full;

        synchronized void put(int item) throws InterruptedException {
            while (full) {
                wait();
            }
            this.item = item;
            full = true;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (!full) {
                wait();
            }
            full = false;
            notifyAll();
            return item;
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void start(Work work) {
        new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
    }

    private static void pass(Place from, Place to, int items) throws InterruptedException {
        for (int i = 0; i < items; i++) {
            to.put(2 * from.take());
        }
    }

    public static void main(String[] args) {
        int items = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int stages = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Place first = new Place();
        Place last = first;
        for (int stage = 0; stage < stages; stage++) {
            Place from = last;
            Place to = new Place();
            start(() -> pass(from, to, items));
            last = to;
        }
        Place end = last;
        start(() -> {
            for (int i = 0; i < items; i++) {
                int item = end.take();
                assert item == i << stages : item;
            }
        });
        start(() -> {
            for (int i = 0; i < items; i++) {
                first.put(i);
            }
        });
    }
}
