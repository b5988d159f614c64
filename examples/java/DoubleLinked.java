/**
 * Threads that build a doubly linked list and then lose the only reference to it, after DoubleLinked of JPF 2001
 * (section 2.5, Table 2). No defect. The garbage is cyclic: reference counting does not find it, marking does.
 * Parameters: threads, nodes of each list, lists of each thread.
 *
 * sojourner check examples/java/DoubleLinked.java -- 2 2 2: clean
 */
public class DoubleLinked {
    private static final class Node {
        final Node previous;
        Node next;

        Node(Node previous) {
            this.previous = previous;
        }
    }

    private int made;

    synchronized void count() {
        made++;
    }

    void work(int nodes, int lists) {
        for (int list = 0; list < lists; list++) {
            Node last = new Node(null);
            for (int i = 1; i < nodes; i++) {
                last.next = new Node(last);
                last = last.next;
                count();
            }
            last = null;
            count();
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int nodes = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int lists = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        DoubleLinked shared = new DoubleLinked();
        for (int i = 0; i < threads; i++) {
            new Thread(() -> shared.work(nodes, lists)).start();
        }
    }
}
