/**
 * Replicated workers over a shared pool of work, after ReplicatedWorkers of PRSS 2007 (Table 1) and RB 2011: the
 * workers integrate x * x adaptively; an interval with too large an error goes back into the pool as two halves.
 * Defect: work comes when all workers have reported, and a worker takes an empty pool while none is busy for the
 * end. If all of them look before the first work is there, no worker is left, and the main thread waits for ever.
 * Parameters: workers, items (intervals at the start), min, max, epsilon; the paper's are 5 2 0.0 10.7 0.05.
 *
 * sojourner check examples/java/WorkerPool.java -- 3 2 0.0 1.0 0.05: found, deadlock
 */
public class WorkerPool {
    /** An interval that waits for a worker. */
    private static final class Work {
        final double from;
        final double to;
        final Work below;

        Work(double from, double to, Work below) {
            this.from = from;
            this.to = to;
            this.below = below;
        }
    }

    private final double epsilon;
    private Work top;
    private int busy;
    private int open;
    private double area;
    private int there;

    WorkerPool(double epsilon) {
        this.epsilon = epsilon;
    }

    synchronized void add(double from, double to) {
        top = new Work(from, to, top);
        open++;
        notifyAll();
    }

    synchronized void report() {
        there++;
        notifyAll();
    }

    synchronized void awaitWorkers(int workers) throws InterruptedException {
        while (there < workers) {
            wait();
        }
    }

    /** The next item, or null when no work is left and no busy worker could bring more. */
    synchronized Work take() throws InterruptedException {
        while (top == null && busy > 0) {
            wait();
        }
        if (top == null) {
            return null;
        }
        Work work = top;
        top = work.below;
        busy++;
        return work;
    }

    synchronized void finish(double part) {
        area += part;
        busy--;
        open--;
        notifyAll();
    }

    /** The area, when all work is done. */
    synchronized double await() throws InterruptedException {
        while (open > 0) {
            wait();
        }
        return area;
    }

    void work() {
        try {
            report();
            for (Work work = take(); work != null; work = take()) {
                finish(integrate(work.from, work.to));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private double integrate(double from, double to) {
        double middle = (from + to) / 2;
        double coarse = trapezoid(from, to);
        double fine = trapezoid(from, middle) + trapezoid(middle, to);
        if (Math.abs(fine - coarse) <= epsilon) {
            return fine;
        }
        add(from, middle);
        add(middle, to);
        return 0;
    }

    private static double trapezoid(double from, double to) {
        return (to - from) * (from * from + to * to) / 2;
    }

    public static void main(String[] args) throws InterruptedException {
        int workers = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int items = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        double min = args.length > 2 ? Double.parseDouble(args[2]) : 0.0;
        double max = args.length > 3 ? Double.parseDouble(args[3]) : 1.0;
        double epsilon = args.length > 4 ? Double.parseDouble(args[4]) : 0.05;
        WorkerPool pool = new WorkerPool(epsilon);
        for (int i = 0; i < workers; i++) {
            new Thread(pool::work).start();
        }
        pool.awaitWorkers(workers);
        double width = (max - min) / items;
        for (int i = 0; i < items; i++) {
            pool.add(min + i * width, min + (i + 1) * width);
        }
        double area = pool.await();
        double exact = (max * max * max - min * min * min) / 3;
        assert Math.abs(area - exact) < (max - min) * epsilon * 4 : area;
    }
}
