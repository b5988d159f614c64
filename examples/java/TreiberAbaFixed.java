import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Treiber's stack of numbered nodes that are used again.
 * The repaired twin of TreiberAba.java: the top carries a version that every change increments.
 * No parameters: one thread pops, the other pops twice and pushes the first of them.
 *
 * sojourner check examples/java/TreiberAbaFixed.java: clean
 */
public class TreiberAbaFixed {
    private static final int NODES = 2;
    private static final int NONE = -1;

    /** The number of the top node plus one, in the lower eight bits, and above them the version. */
    private final AtomicInteger top = new AtomicInteger();
    private final AtomicIntegerArray next = new AtomicIntegerArray(NODES);

    void push(int node) {
        int old;
        do {
            old = top.get();
            next.set(node, node(old));
        } while (!top.compareAndSet(old, changed(old, node)));
    }

    int pop() {
        int old;
        int below;
        do {
            old = top.get();
            if (node(old) == NONE) {
                return NONE;
            }
            below = next.get(node(old));
        } while (!top.compareAndSet(old, changed(old, below)));
        return node(old);
    }

    private static int node(int top) {
        return (top & 0xff) - 1;
    }

    private static int changed(int top, int node) {
        return (top & ~0xff) + 0x100 | node + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        TreiberAbaFixed stack = new TreiberAbaFixed();
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
