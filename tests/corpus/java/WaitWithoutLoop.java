//! clean
//! found exception|assertion broken
// Two consumers wait for one item each; broken: they do not look again when they are woken.
import java.util.ArrayDeque;
public class WaitWithoutLoop {
    static final ArrayDeque<Integer> items = new ArrayDeque<>();
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Runnable take = () -> {
            synchronized (items) {
                try {
                    if (broken) { if (items.isEmpty()) items.wait(); }
                    else while (items.isEmpty()) items.wait();
                } catch (InterruptedException e) { throw new AssertionError(e); }
                items.remove();
            }
        };
        Thread a = new Thread(take), b = new Thread(take);
        a.start(); b.start();
        for (int n = 0; n < 2; n++) synchronized (items) { items.add(n); items.notifyAll(); }
        a.join(); b.join();
    }
}
