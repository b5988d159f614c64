import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** SynchronousQueue: hand-over without storage, fair and unfair. */
public class SynchronousQueues {
    static void handOver(boolean fair) throws Exception {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>(fair);
        System.out.println(queue.offer(1) + " " + queue.poll() + " " + queue.size() + " " + queue.peek() + " " + queue.isEmpty() + " "
                + queue.remainingCapacity() + " " + queue.iterator().hasNext() + " " + queue);
        System.out.println(queue.offer(1, 1, TimeUnit.MILLISECONDS) + " " + queue.poll(1, TimeUnit.MILLISECONDS));
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 20; i++) queue.put(i);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        long mixed = 0;
        for (int i = 0; i < 20; i++) mixed = mixed * 7 + queue.take();
        producer.join();
        System.out.println(mixed);
        int[] sum = new int[1];
        Thread[] takers = new Thread[3];
        for (int t = 0; t < 3; t++) {
            takers[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        int v = queue.take();
                        synchronized (sum) {
                            sum[0] += v;
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            takers[t].start();
        }
        for (int i = 0; i < 30; i++) queue.put(i);
        for (Thread t : takers) t.join();
        System.out.println(sum[0]);
    }

    public static void main(String[] args) throws Exception {
        handOver(false);
        handOver(true);
        SynchronousQueue<String> queue = new SynchronousQueue<>(true);
        StringBuffer order = new StringBuffer();
        Thread[] puts = new Thread[3];
        for (int i = 0; i < 3; i++) {
            String me = "p" + i;
            puts[i] = new Thread(() -> {
                try {
                    queue.put(me);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            puts[i].start();
            while (puts[i].getState() != Thread.State.WAITING) Thread.yield();
        }
        for (int i = 0; i < 3; i++) order.append(queue.take()).append(' ');
        System.out.println("fair: " + order);
        Thread waits = new Thread(() -> {
            try {
                queue.put("never");
                System.out.println("not reached");
            } catch (InterruptedException e) {
                System.out.println("interrupted while offering");
            }
        });
        waits.start();
        while (waits.getState() != Thread.State.WAITING) Thread.yield();
        waits.interrupt();
        waits.join();
        System.out.println(queue.poll());
    }
}
