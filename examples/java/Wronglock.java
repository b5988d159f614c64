/**
 * A value guarded by two different locks, after Wronglock of RGDS 2007 (Table 1).
 * Defect: some threads increment it under the lock of the data, others under the lock of their class.
 * Parameters: threads that lock the data, threads that lock the class; the paper's go up to 20 1 and 1 20.
 *
 * sojourner check examples/java/Wronglock.java -- 1 1: found, assertion
 */
public class Wronglock {
    private int value;

    private void increment() {
        int before = value;
        value = before + 1;
        assert value == before + 1 : "the value changed under the lock";
    }

    void underData() {
        synchronized (this) {
            increment();
        }
    }

    void underClass() {
        synchronized (Wronglock.class) {
            increment();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int data = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int classes = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Wronglock shared = new Wronglock();
        Thread[] threads = new Thread[data + classes];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i < data ? new Thread(shared::underData) : new Thread(shared::underClass);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert shared.value == threads.length : "an increment was lost";
    }
}
