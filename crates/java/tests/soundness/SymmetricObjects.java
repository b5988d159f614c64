/** Which of two threads made which object is all that differs. */
public class SymmetricObjects {
    static class Node {
        Node next;
    }

    static Node top;
    static boolean same;

    static synchronized void push(Node node) {
        node.next = top;
        top = node;
    }

    public static void main(String[] args) throws Exception {
        Node early = new Node();
        Thread t = new Thread(() -> push(new Node()));
        t.start();
        push(early);
        t.join();
        same = top == early;
        assert top.next.next == null;
    }
}
