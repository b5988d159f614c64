// Threads count in steps of their own, and then count together without a lock. The arguments are the number of threads and the
// number of steps that each takes by itself before.
public class Counters {
    static int together;

    public static void main(String[] args) throws InterruptedException {
        int threads = Integer.parseInt(args[0]), steps = Integer.parseInt(args[1]);
        Thread[] all = new Thread[threads];
        int[] alone = new int[threads];
        for (int i = 0; i < threads; i++) {
            int own = i;
            all[i] = new Thread(() -> {
                for (int step = 0; step < steps; step++) {
                    synchronized (alone) {
                        alone[own]++;
                    }
                }
                together++;
            });
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        assert together == threads : together;
    }
}
