import java.util.ArrayList;
import java.util.List;

/** Mutual exclusion by synchronized methods and blocks: reentrance, exceptions, static ones, illegal states. */
public class Monitors {
    private int count;
    private static int total;
    private final List<Integer> list = new ArrayList<>();

    synchronized void increment() {
        int seen = count;
        Thread.yield();
        count = seen + 1;
        addTotal(1);
        reenter(3);
    }

    static synchronized void addTotal(int n) {
        total += n;
    }

    synchronized int reenter(int n) {
        synchronized (this) {
            return n == 0 ? 0 : 1 + reenter(n - 1);
        }
    }

    void append(int value) {
        synchronized (list) {
            list.add(value);
        }
    }

    synchronized void fails() {
        throw new IllegalStateException("inside");
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " fine");
        } catch (RuntimeException e) {
            System.out.println(what + " " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        Monitors m = new Monitors();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 50; n++) {
                    m.increment();
                    m.append(me * 50 + n);
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println(m.count + " " + total + " " + m.list.size() + " " + m.list.stream().mapToInt(x -> x).sum());
        attempt("throwing", m::fails);
        System.out.println("held afterwards: " + Thread.holdsLock(m));
        attempt("notify unowned", m::notify);
        attempt("notifyAll unowned", m::notifyAll);
        attempt("wait unowned", () -> {
            try {
                m.wait(10);
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
        });
        attempt("negative", () -> {
            synchronized (m) {
                try {
                    m.wait(-1);
                } catch (InterruptedException e) {
                    throw new RuntimeException(e);
                }
            }
        });
        attempt("null", () -> {
            Object none = null;
            synchronized (none) {
                System.out.println("not reached");
            }
        });
        synchronized (m) {
            synchronized (Monitors.class) {
                System.out.println(Thread.holdsLock(m) + " " + Thread.holdsLock(Monitors.class) + " " + Thread.holdsLock(total));
                Thread blocked = new Thread(m::increment);
                blocked.start();
                while (blocked.getState() != Thread.State.BLOCKED) Thread.yield();
                System.out.println("blocked: " + m.count);
                synchronized (m) {
                    m.count = 0;
                }
            }
        }
        while (true) {
            synchronized (m) {
                if (m.count == 1) break;
            }
            Thread.yield();
        }
        System.out.println("done");
    }
}
