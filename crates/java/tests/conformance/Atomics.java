import java.util.concurrent.atomic.*;

/** Atomic variables, references, arrays, stamps and marks: every update form, alone and from several threads. */
public class Atomics {
    static void parallel(int threads, Runnable body) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(body);
            all[i].start();
        }
        for (Thread t : all) t.join();
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.getAndIncrement() + " " + i.incrementAndGet() + " " + i.getAndDecrement() + " " + i.decrementAndGet() + " "
                + i.addAndGet(10) + " " + i.getAndAdd(-3) + " " + i.getAndSet(100) + " " + i);
        System.out.println(i.compareAndSet(100, 7) + " " + i.compareAndSet(100, 8) + " " + i.compareAndExchange(7, 9) + " " + i.get() + " "
                + i.updateAndGet(x -> x * x) + " " + i.getAndUpdate(x -> -x) + " " + i.accumulateAndGet(3, Math::max) + " "
                + i.getAndAccumulate(4, (a, b) -> a * b) + " " + i.intValue() + " " + i.doubleValue());
        AtomicLong l = new AtomicLong(Long.MAX_VALUE);
        System.out.println(l.incrementAndGet() + " " + l.getAndAdd(-1) + " " + l.updateAndGet(x -> x >>> 60) + " " + l.compareAndSet(7, 1L << 33) + l);
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.getAndSet(true) + " " + b.compareAndSet(false, true) + " " + b.compareAndSet(true, false) + " " + b);
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(r.compareAndSet("a", "b") + " " + r.getAndUpdate(s -> s + "c") + " " + r.accumulateAndGet("d", String::concat) + " "
                + r.getAndSet(null) + " " + r);
        r.lazySet("lazy");
        System.out.println(r.getPlain() + r.getAcquire() + r.getOpaque());
        parallel(4, () -> {
            for (int n = 0; n < 500; n++) {
                i.incrementAndGet();
                l.getAndUpdate(x -> x + 2);
                r.updateAndGet(s -> s.length() > 20 ? "" : s + "x");
            }
        });
        System.out.println(i + " " + l + " " + r.get().length());
        AtomicIntegerArray ints = new AtomicIntegerArray(new int[] {1, 2, 3});
        AtomicLongArray longs = new AtomicLongArray(2);
        AtomicReferenceArray<String> refs = new AtomicReferenceArray<>(new String[] {"p", "q"});
        parallel(3, () -> {
            for (int n = 0; n < 100; n++) {
                ints.addAndGet(n % 3, n);
                longs.accumulateAndGet(n % 2, n, Long::sum);
            }
        });
        System.out.println(ints + " " + longs + " " + refs.getAndSet(0, "z") + refs + ints.compareAndSet(0, -1, 5) + ints.length());
        try {
            ints.get(3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        AtomicStampedReference<String> stamped = new AtomicStampedReference<>("v", 1);
        int[] stamp = new int[1];
        System.out.println(stamped.get(stamp) + stamp[0] + stamped.compareAndSet("v", "w", 0, 2) + stamped.compareAndSet("v", "w", 1, 2)
                + stamped.getReference() + stamped.getStamp() + stamped.attemptStamp("w", 9) + stamped.getStamp());
        AtomicMarkableReference<String> marked = new AtomicMarkableReference<>("m", false);
        boolean[] mark = new boolean[1];
        System.out.println(marked.attemptMark("m", true) + marked.get(mark) + mark[0] + marked.compareAndSet("m", "n", false, false) + marked.isMarked());
        AtomicReference<Node> top = new AtomicReference<>();
        parallel(4, () -> {
            for (int n = 1; n <= 50; n++) {
                Node old;
                Node fresh = new Node(n);
                do {
                    old = top.get();
                    fresh.next = old;
                } while (!top.compareAndSet(old, fresh));
            }
        });
        int sum = 0;
        for (Node n = top.get(); n != null; n = n.next) sum += n.value;
        System.out.println("stack: " + sum);
    }

    static class Node {
        final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }
}
