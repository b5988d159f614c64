/**
 * Threads that add elements to a list and never remove one, after NoGarbage of JPF 2001 (section 2.5, Table 2). No
 * defect. Nothing can be collected: the example shows what collecting costs.
 * Parameters: threads, elements that each adds.
 *
 * sojourner check examples/java/NoGarbage.java -- 2 4: clean
 */
public class NoGarbage {
    private static final class Element {
        final int value;
        final Element next;

        Element(int value, Element next) {
            this.value = value;
            this.next = next;
        }
    }

    private Element first;

    synchronized void add(int value) {
        first = new Element(value, first);
    }

    void work(int value, int elements) {
        for (int i = 0; i < elements; i++) {
            add(value);
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int elements = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        NoGarbage list = new NoGarbage();
        for (int i = 0; i < threads; i++) {
            int value = i;
            new Thread(() -> list.work(value, elements)).start();
        }
    }
}
