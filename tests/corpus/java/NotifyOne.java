//! clean
//! found deadlock broken
// Producers and consumers wait on one monitor: notify can wake one of the wrong kind.
public class NotifyOne {
    private int items;
    private final boolean broken;

    NotifyOne(boolean broken) { this.broken = broken; }

    private void tell() { if (broken) notify(); else notifyAll(); }

    synchronized void put() throws InterruptedException {
        while (items == 1) wait();
        items++;
        tell();
    }

    synchronized void take() throws InterruptedException {
        while (items == 0) wait();
        items--;
        tell();
    }

    interface Step { void run() throws InterruptedException; }

    static Thread thread(Step step) {
        return new Thread(() -> { try { step.run(); } catch (InterruptedException e) { throw new AssertionError(e); } });
    }

    public static void main(String[] args) {
        NotifyOne buffer = new NotifyOne(args.length > 0);
        thread(buffer::take).start();
        thread(buffer::take).start();
        thread(buffer::put).start();
        thread(buffer::put).start();
    }
}
