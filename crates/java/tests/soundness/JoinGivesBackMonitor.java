/** A thread joins a worker whose monitor it holds: it waits on the worker, and so gives the monitor back. */
public class JoinGivesBackMonitor {
    static int closed;

    static class Worker extends Thread {
        boolean stop;

        @Override
        public synchronized void run() {
            while (!stop) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        synchronized void close() throws InterruptedException {
            stop = true;
            notifyAll();
            synchronized (this) {
                join();
                assert holdsLock(this) && !isAlive();
            }
            assert holdsLock(this);
            closed++;
        }
    }

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        worker.start();
        Thread other = new Thread(() -> {
            try {
                worker.close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        worker.close();
        assert !Thread.holdsLock(worker);
        other.join();
        assert closed == 2;
    }
}
