import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Treiber's stack of numbered nodes that are used again.
 * Defect: ABA. A pop reads the top node and its successor; meanwhile the other thread pops both and pushes the first
 * back; the compare-and-set succeeds and makes a node the top that is no longer on the stack. Java PathFinder misses
 * it.
 * No parameters: one thread pops, the other pops twice and pushes the first of them.
 *
 * sojourner check examples/java/TreiberAba.java: found, assertion
 */
public class TreiberAba {
    private static final int NODES = 2;
    private static final int NONE = -1;

    /** The number of the top node. */
    private final AtomicInteger top = new AtomicInteger(NONE);
    private final AtomicIntegerArray next = new AtomicIntegerArray(NODES);

    void push(int node) {
        int old;
        do {
            old = top.get();
            next.set(node, old);
        } while (!top.compareAndSet(old, node));
    }

    int pop() {
        int old;
        int below;
        do {
            old = top.get();
            if (old == NONE) {
                return NONE;
            }
            below = next.get(old);
        } while (!top.compareAndSet(old, below));
        return old;
    }

    public static void main(String[] args) throws InterruptedException {
        TreiberAba stack = new TreiberAba();
        for (int node = 0; node < NODES; node++) {
            stack.push(node);
        }
        int[] owners = new int[NODES];
        int[] kept = {NONE, NONE};
        Thread one = new Thread(() -> kept[0] = stack.pop());
        Thread two = new Thread(() -> {
            int first = stack.pop();
            kept[1] = stack.pop();
            if (first != NONE) {
                stack.push(first);
            }
        });
        one.start();
        two.start();
        one.join();
        two.join();
        for (int node : kept) {
            if (node != NONE) {
                owners[node]++;
            }
        }
        for (int node = stack.pop(); node != NONE; node = stack.pop()) {
            owners[node]++;
        }
        for (int count : owners) {
            assert count == 1 : "a node is owned " + count + " times";
        }
    }
}
