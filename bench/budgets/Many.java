/** Four threads with many states: what a search by states remembers grows. */
public class Many {
    static int[] counts = new int[5];

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 30; round++) {
                    synchronized (counts) {
                        counts[own] += round;
                        counts[4] = (counts[4] * 7 + own) % 1000;
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
