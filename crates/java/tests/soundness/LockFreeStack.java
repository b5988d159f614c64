import java.util.concurrent.atomic.AtomicReference;

/** Treiber's stack: nothing that is pushed gets lost. */
public class LockFreeStack {
    record Node(int value, Node next) {
    }

    static String order;

    static void push(AtomicReference<Node> head, int value) {
        Node old;
        do {
            old = head.get();
        } while (!head.compareAndSet(old, new Node(value, old)));
    }

    public static void main(String[] args) throws Exception {
        AtomicReference<Node> head = new AtomicReference<>();
        Thread t = new Thread(() -> push(head, 1));
        t.start();
        push(head, 2);
        t.join();
        Node top = head.get();
        assert top.value + top.next.value == 3 && top.next.next == null;
        order = top.value == 1 ? "21" : "12";
    }
}
