import java.util.ArrayDeque;
import java.util.Deque;

/** Bounded buffer, turn taking, notifyAll, time-outs and full release of a reentrant monitor by wait. */
public class WaitNotify {
    static class Buffer<T> {
        private final Deque<T> items = new ArrayDeque<>();
        private final int capacity;

        Buffer(int capacity) {
            this.capacity = capacity;
        }

        synchronized void put(T item) throws InterruptedException {
            while (items.size() == capacity) wait();
            items.addLast(item);
            notifyAll();
        }

        synchronized T take() throws InterruptedException {
            while (items.isEmpty()) wait();
            notifyAll();
            return items.removeFirst();
        }
    }

    static int turn;
    static final Object lock = new Object();

    static void speak(int me, int rounds, int players) {
        for (int r = 0; r < rounds; r++) {
            synchronized (lock) {
                try {
                    while (turn % players != me) lock.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                System.out.println("round " + r + " player " + me);
                turn++;
                lock.notifyAll();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Buffer<Integer> buffer = new Buffer<>(2);
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= 20; i++) buffer.put(i);
                buffer.put(-1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        int sum = 0;
        for (int item; (item = buffer.take()) >= 0; ) sum = sum * 31 + item;
        producer.join();
        System.out.println("in order: " + sum);

        Thread[] players = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            players[i] = new Thread(() -> speak(me, 3, 3));
            players[i].start();
        }
        for (Thread t : players) t.join();

        Object m = new Object();
        synchronized (m) {
            m.wait(1);
            m.wait(0, 1);
            System.out.println("timed waits return: " + Thread.holdsLock(m));
        }
        boolean[] flag = new boolean[1];
        Thread waker = new Thread(() -> {
            synchronized (m) {
                flag[0] = true;
                m.notify();
                System.out.println("notifier still holds");
            }
        });
        synchronized (m) {
            synchronized (m) {
                waker.start();
                while (!flag[0]) m.wait();
                System.out.println("both holds are back: " + Thread.holdsLock(m));
            }
            System.out.println("one is left: " + Thread.holdsLock(m));
        }
        System.out.println("none: " + Thread.holdsLock(m));
        synchronized (m) {
            m.notify();
            m.notifyAll();
        }
        waker.join();
    }
}
