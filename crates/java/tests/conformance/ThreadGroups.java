import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** Groups of threads: parents, priorities, enumeration, destruction, interruption of all. */
public class ThreadGroups {
    public static void main(String[] args) throws Exception {
        ThreadGroup main = Thread.currentThread().getThreadGroup();
        System.out.println(main.getName() + " " + main.getParent().getName() + " " + main.getParent().getParent());
        ThreadGroup outer = new ThreadGroup("outer");
        ThreadGroup inner = new ThreadGroup(outer, "inner");
        System.out.println(inner + " " + inner.getParent().getName() + " " + outer.parentOf(inner) + " " + inner.parentOf(outer)
                + " " + main.parentOf(inner));
        outer.setMaxPriority(4);
        CountDownLatch started = new CountDownLatch(3);
        CountDownLatch ended = new CountDownLatch(3);
        Runnable body = () -> {
            started.countDown();
            try {
                Thread.sleep(1_000_000);
                System.out.println("not reached");
            } catch (InterruptedException e) {
                ended.countDown();
            }
        };
        Thread[] threads = {
            new Thread(outer, body, "o1"), new Thread(inner, body, "i1"), new Thread(inner, body, "i2"),
        };
        for (Thread t : threads) t.start();
        started.await();
        System.out.println(outer.activeCount() + " " + inner.activeCount() + " " + outer.activeGroupCount());
        Thread[] found = new Thread[10];
        int n = outer.enumerate(found);
        String[] names = new String[n];
        for (int i = 0; i < n; i++) names[i] = found[i].getName();
        Arrays.sort(names);
        System.out.println(Arrays.toString(names) + " " + outer.enumerate(new Thread[10], false) + " "
                + outer.enumerate(new ThreadGroup[5]));
        for (Thread t : threads) System.out.println(t + " " + t.getPriority());
        outer.interrupt();
        ended.await();
        for (Thread t : threads) t.join();
        System.out.println(outer.activeCount() + " " + threads[0].getThreadGroup());
        Thread child = new Thread(inner, () -> {
            Thread grandchild = new Thread(() -> { });
            System.out.println(grandchild.getThreadGroup().getName() + " " + grandchild.getPriority());
        });
        child.start();
        child.join();
        inner.setDaemon(true);
        System.out.println(inner.isDaemon() + " " + inner.getMaxPriority() + " " + new ThreadGroup("next").getMaxPriority());
        try {
            new ThreadGroup(null, "orphan");
        } catch (NullPointerException e) {
            System.out.println("no parent");
        }
    }
}
