import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Thread-local values: initial ones, removal, inheritance, reuse by pools. */
public class ThreadLocals {
    static final AtomicInteger made = new AtomicInteger();
    static final ThreadLocal<Integer> number = ThreadLocal.withInitial(made::incrementAndGet);
    static final ThreadLocal<StringBuilder> text = new ThreadLocal<>() {
        @Override
        protected StringBuilder initialValue() {
            return new StringBuilder("fresh");
        }
    };
    static final ThreadLocal<String> plain = new ThreadLocal<>();
    static final InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>() {
        @Override
        protected String childValue(String parent) {
            return parent + "'";
        }
    };

    static void inThread(String name, Runnable r) throws InterruptedException {
        Thread t = new Thread(r, name);
        t.start();
        t.join();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(number.get() + " " + number.get() + " " + plain.get());
        inThread("a", () -> System.out.println("a: " + number.get() + " " + text.get().append("!")));
        inThread("b", () -> System.out.println("b: " + number.get() + " " + text.get()));
        number.set(100);
        System.out.println(number.get() + " " + made);
        number.remove();
        System.out.println(number.get() + " " + made);
        plain.set("mine");
        inherited.set("root");
        inThread("c", () -> {
            System.out.println("c: " + plain.get() + " " + inherited.get());
            inherited.set("changed");
            try {
                inThread("d", () -> System.out.println("d: " + inherited.get()));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        System.out.println(plain.get() + " " + inherited.get());
        plain.set(null);
        System.out.println(plain.get());
        ThreadLocal<Integer>[] many = newLocals(100);
        for (int i = 0; i < many.length; i++) many[i].set(i * i);
        for (int i = 0; i < many.length; i += 2) many[i].remove();
        int sum = 0;
        for (ThreadLocal<Integer> one : many) sum += one.get() == null ? -1 : one.get();
        System.out.println(sum);
        ExecutorService pool = Executors.newFixedThreadPool(1);
        for (int i = 0; i < 3; i++) pool.submit(() -> System.out.println("pool: " + text.get().append('.'))).get();
        pool.shutdown();
        int r = ThreadLocalRandom.current().nextInt(5, 9);
        System.out.println(r >= 5 && r < 9);
    }

    @SuppressWarnings("unchecked")
    static ThreadLocal<Integer>[] newLocals(int n) {
        ThreadLocal<Integer>[] all = new ThreadLocal[n];
        for (int i = 0; i < n; i++) all[i] = new ThreadLocal<>();
        return all;
    }
}
