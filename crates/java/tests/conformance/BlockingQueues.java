import java.util.*;
import java.util.concurrent.*;

/** Array, linked and priority blocking queues and the blocking deque: bounds, time-outs, draining, several threads. */
public class BlockingQueues {
    static void work(String name, BlockingQueue<Integer> queue) throws Exception {
        int producers = 3, each = 40;
        long[] sums = new long[2];
        Thread[] threads = new Thread[producers + 2];
        for (int i = 0; i < producers; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                try {
                    for (int n = 0; n < each; n++) queue.put(me * each + n);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (int i = 0; i < 2; i++) {
            int me = i;
            threads[producers + i] = new Thread(() -> {
                try {
                    for (int n = 0; n < producers * each / 2; n++) sums[me] += queue.take();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(name + " " + (sums[0] + sums[1]) + " " + queue.isEmpty());
    }

    public static void main(String[] args) throws Exception {
        work("array", new ArrayBlockingQueue<>(3));
        work("fair array", new ArrayBlockingQueue<>(2, true));
        work("linked", new LinkedBlockingQueue<>(4));
        work("unbounded", new LinkedBlockingQueue<>());
        work("priority", new PriorityBlockingQueue<>());
        work("deque", new LinkedBlockingDeque<>(2));

        ArrayBlockingQueue<String> q = new ArrayBlockingQueue<>(2);
        System.out.println(q.offer("a") + " " + q.add("b") + " " + q.offer("c") + " " + q.offer("c", 1, TimeUnit.MILLISECONDS) + " "
                + q.remainingCapacity() + " " + q.peek() + " " + q);
        try {
            q.add("c");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(q.poll() + q.remove() + q.poll() + " " + q.poll(1, TimeUnit.MILLISECONDS) + " " + q.peek());
        for (Runnable r : new Runnable[] {q::remove, q::element, () -> q.offer(null), () -> new ArrayBlockingQueue<>(0)}) {
            try {
                r.run();
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        PriorityBlockingQueue<String> p = new PriorityBlockingQueue<>(1, Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        p.addAll(List.of("ccc", "a", "bb", "aa", "dddd"));
        List<String> drained = new ArrayList<>();
        System.out.println(p.drainTo(drained, 3) + " " + drained + " " + p.size() + " " + p.drainTo(drained) + drained);
        LinkedBlockingDeque<Integer> d = new LinkedBlockingDeque<>(3);
        d.putFirst(2);
        d.putLast(3);
        d.offerFirst(1);
        System.out.println(d + " " + d.offerLast(4) + " " + d.takeLast() + d.takeFirst() + d.pollLast() + d.pollFirst() + " " + d.pollFirst(1, TimeUnit.MILLISECONDS));
        Thread late = new Thread(() -> q.add("late"));
        Thread taker = new Thread(() -> {
            try {
                System.out.println("took " + q.poll(1, TimeUnit.HOURS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        taker.start();
        while (taker.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        late.start();
        taker.join();
    }
}
