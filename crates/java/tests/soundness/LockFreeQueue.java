import java.util.concurrent.atomic.AtomicReference;

/** The queue of Michael and Scott: whoever finds the tail behind moves it on. */
public class LockFreeQueue {
    static class Node {
        final int value;
        final AtomicReference<Node> next = new AtomicReference<>();

        Node(int value) {
            this.value = value;
        }
    }

    static int first;

    static void add(AtomicReference<Node> tail, Node node) {
        while (true) {
            Node last = tail.get();
            if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
            tail.compareAndSet(last, last.next.get());
        }
    }

    public static void main(String[] args) throws Exception {
        Node head = new Node(0);
        AtomicReference<Node> tail = new AtomicReference<>(head);
        Node one = new Node(1);
        Thread t = new Thread(() -> add(tail, one));
        t.start();
        add(tail, new Node(2));
        t.join();
        first = head.next.get().value;
        assert first + head.next.get().next.get().value == 3;
    }
}
