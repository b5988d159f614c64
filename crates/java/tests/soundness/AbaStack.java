import java.util.concurrent.atomic.AtomicReference;

/** A stack that takes nodes back: between reading the head and replacing it, all was popped and the head pushed again. */
public class AbaStack {
    static class Node {
        Node next;
    }

    static boolean popped;

    public static void main(String[] args) throws Exception {
        Node low = new Node();
        Node high = new Node();
        high.next = low;
        AtomicReference<Node> head = new AtomicReference<>(high);
        Thread t = new Thread(() -> {
            Node first = head.get();
            if (first != null) {
                Node second = first.next;
                popped = head.compareAndSet(first, second);
            }
        });
        t.start();
        boolean ours = head.compareAndSet(high, null);
        if (ours) {
            high.next = null;
            head.set(high);
        }
        t.join();
        assert !ours || head.get() != low : "a node that was popped is on the stack";
    }
}
