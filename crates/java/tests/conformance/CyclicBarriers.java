import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** CyclicBarrier: rounds with an action, arrival numbers, time-outs, breaking, reset, failing actions. */
public class CyclicBarriers {
    public static void main(String[] args) throws Exception {
        int n = 3;
        int[][] grid = new int[n][4];
        AtomicInteger indices = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(n, () -> {
            int sum = 0;
            for (int[] row : grid) for (int v : row) sum += v;
            System.out.println("round sum " + sum);
        });
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int round = 0; round < 4; round++) {
                        grid[me][round] = (me + 1) * (round + 1);
                        indices.addAndGet(barrier.await());
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(indices + " " + barrier.getParties() + " " + barrier.getNumberWaiting() + " " + barrier.isBroken());

        CyclicBarrier two = new CyclicBarrier(2);
        try {
            two.await(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timed out, broken: " + two.isBroken());
        }
        try {
            two.await();
        } catch (BrokenBarrierException e) {
            System.out.println("broken for the next one");
        }
        two.reset();
        System.out.println("after reset: " + two.isBroken());
        String[] outcome = new String[1];
        Thread waits = new Thread(() -> {
            try {
                two.await();
                outcome[0] = "passed";
            } catch (InterruptedException | BrokenBarrierException e) {
                outcome[0] = e.getClass().getSimpleName();
            }
        });
        waits.start();
        while (two.getNumberWaiting() == 0) Thread.yield();
        two.reset();
        waits.join();
        System.out.println("reset while waiting: " + outcome[0] + " " + two.isBroken());
        CyclicBarrier fails = new CyclicBarrier(1, () -> {
            throw new IllegalStateException("action");
        });
        try {
            fails.await();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + fails.isBroken());
        }
        System.out.println(new CyclicBarrier(1).await());
        try {
            new CyclicBarrier(0);
        } catch (IllegalArgumentException e) {
            System.out.println("no parties: " + e.getMessage());
        }
        Thread.currentThread().interrupt();
        try {
            two.await();
        } catch (InterruptedException e) {
            System.out.println("interrupted, broken: " + two.isBroken());
        }
    }
}
