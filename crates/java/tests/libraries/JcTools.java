import java.util.*;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.maps.*;
import org.jctools.queues.*;
import org.jctools.queues.atomic.*;

/** JCTools: all queues with as many producers and consumers as each allows, and the non-blocking maps. */
public class JcTools {
    static final int EACH = 300;

    static void exchange(String name, Queue<Integer> queue, int producers, int consumers) throws InterruptedException {
        AtomicLong sum = new AtomicLong(), taken = new AtomicLong();
        long total = (long) producers * EACH;
        List<Thread> threads = new ArrayList<>();
        boolean[] ordered = {true};
        for (int p = 0; p < producers; p++) {
            int base = p * EACH;
            threads.add(new Thread(() -> {
                for (int i = 0; i < EACH; i++) while (!queue.offer(base + i)) Thread.yield();
            }));
        }
        for (int c = 0; c < consumers; c++) {
            threads.add(new Thread(() -> {
                int[] last = new int[producers];
                Arrays.fill(last, -1);
                while (taken.get() < total) {
                    Integer v = queue.poll();
                    if (v == null) {
                        Thread.yield();
                        continue;
                    }
                    if (v <= last[v / EACH]) ordered[0] = false;
                    last[v / EACH] = v;
                    sum.addAndGet(v);
                    taken.incrementAndGet();
                }
            }));
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        // A compound queue is several queues, and keeps no order.
        System.out.println(name + " " + sum + " " + queue.isEmpty() + " in order " + (ordered[0] || queue instanceof MpscCompoundQueue));
    }

    public static void main(String[] args) throws Exception {
        exchange("SpscArrayQueue", new SpscArrayQueue<>(16), 1, 1);
        exchange("SpscLinkedQueue", new SpscLinkedQueue<>(), 1, 1);
        exchange("SpscChunkedArrayQueue", new SpscChunkedArrayQueue<>(8, 32), 1, 1);
        exchange("SpscGrowableArrayQueue", new SpscGrowableArrayQueue<>(8, 32), 1, 1);
        exchange("SpscUnboundedArrayQueue", new SpscUnboundedArrayQueue<>(8), 1, 1);
        exchange("MpscArrayQueue", new MpscArrayQueue<>(16), 3, 1);
        exchange("MpscLinkedQueue", MpscLinkedQueue.newMpscLinkedQueue(), 3, 1);
        exchange("MpscChunkedArrayQueue", new MpscChunkedArrayQueue<>(8, 32), 3, 1);
        exchange("MpscGrowableArrayQueue", new MpscGrowableArrayQueue<>(8, 32), 3, 1);
        exchange("MpscUnboundedArrayQueue", new MpscUnboundedArrayQueue<>(8), 3, 1);
        exchange("MpscCompoundQueue", new MpscCompoundQueue<>(64, 2), 1, 1);
        exchange("SpmcArrayQueue", new SpmcArrayQueue<>(16), 1, 3);
        exchange("MpmcArrayQueue", new MpmcArrayQueue<>(16), 2, 2);
        exchange("SpscAtomicArrayQueue", new SpscAtomicArrayQueue<>(16), 1, 1);
        exchange("MpscAtomicArrayQueue", new MpscAtomicArrayQueue<>(16), 3, 1);
        exchange("MpmcAtomicArrayQueue", new MpmcAtomicArrayQueue<>(16), 2, 2);
        exchange("MpscLinkedAtomicQueue", new MpscLinkedAtomicQueue<>(), 3, 1);
        MpscArrayQueue<Integer> queue = new MpscArrayQueue<>(4);
        for (int i = 0; i < 6; i++) System.out.print(queue.offer(i) + " ");
        System.out.println(queue.size() + " " + queue.capacity() + " " + queue.peek() + " " + queue.relaxedPoll());
        List<Integer> drained = new ArrayList<>();
        System.out.println(queue.drain(drained::add) + " " + drained + " " + queue.fill(() -> 7, 2) + " " + queue.size());
        NonBlockingHashMap<String, Integer> map = new NonBlockingHashMap<>();
        NonBlockingHashMapLong<String> longs = new NonBlockingHashMapLong<>();
        Thread[] threads = new Thread[3];
        for (int t = 0; t < 3; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    map.put("k" + (me * 100 + i), i);
                    longs.putIfAbsent(i, "v" + i);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(map.size() + " " + map.get("k250") + " " + map.putIfAbsent("k0", 5) + " " + map.replace("k1", 1, 11) + " " + map.remove("k2") + " " + map.size() + " " + longs.size() + " " + longs.get(42));
        NonBlockingHashSet<String> set = new NonBlockingHashSet<>();
        NonBlockingSetInt ints = new NonBlockingSetInt();
        System.out.println(set.add("x") + " " + set.add("x") + " " + set + " " + ints.add(500) + " " + ints.contains(500) + ints.contains(3));
    }
}
