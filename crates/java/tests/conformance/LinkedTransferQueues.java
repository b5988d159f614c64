import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;

/** LinkedTransferQueue: transfer waits for a taker, put does not. */
public class LinkedTransferQueues {
    public static void main(String[] args) throws Exception {
        LinkedTransferQueue<String> queue = new LinkedTransferQueue<>();
        queue.put("a");
        queue.add("b");
        System.out.println(queue.offer("c") + " " + queue.size() + " " + queue + " " + queue.hasWaitingConsumer() + " " + queue.getWaitingConsumerCount());
        System.out.println(queue.tryTransfer("no taker") + " " + queue.tryTransfer("timed", 1, TimeUnit.MILLISECONDS) + " " + queue);
        System.out.println(queue.take() + queue.poll() + queue.peek() + queue.poll(1, TimeUnit.SECONDS) + queue.poll());
        List<String> log = new ArrayList<>();
        Thread giver = new Thread(() -> {
            try {
                queue.transfer("given");
                synchronized (log) {
                    log.add("transfer returned");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        giver.start();
        while (giver.getState() != Thread.State.WAITING) Thread.yield();
        synchronized (log) {
            log.add("giver waits, size " + queue.size());
        }
        String got = queue.take();
        giver.join();
        System.out.println(got + " " + log);
        Thread taker = new Thread(() -> {
            try {
                System.out.println("taker got " + queue.take());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        taker.start();
        while (!queue.hasWaitingConsumer()) Thread.yield();
        System.out.println(queue.getWaitingConsumerCount() + " waiting");
        boolean handed = queue.tryTransfer("direct");
        taker.join();
        System.out.println(handed);
        LinkedTransferQueue<Integer> numbers = new LinkedTransferQueue<>();
        long[] sums = new long[2];
        Thread[] all = new Thread[4];
        for (int i = 0; i < 2; i++) {
            int me = i;
            all[i] = new Thread(() -> {
                try {
                    for (int n = 0; n < 30; n++) {
                        if (n % 2 == 0) numbers.transfer(me * 30 + n);
                        else numbers.put(me * 30 + n);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            all[2 + i] = new Thread(() -> {
                try {
                    for (int n = 0; n < 30; n++) sums[me] += numbers.take();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        System.out.println(sums[0] + sums[1] + " " + numbers.isEmpty());
        numbers.addAll(List.of(5, 6, 7, 8));
        numbers.removeIf(n -> n % 2 == 0);
        List<Integer> out = new ArrayList<>();
        System.out.println(numbers.drainTo(out) + " " + out + " " + numbers.remainingCapacity());
    }
}
