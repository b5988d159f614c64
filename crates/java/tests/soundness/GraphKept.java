/** The list is handed over, but its last node is still written by the giver. */
public class GraphKept {
    static class Node {
        int value;
        Node next;
    }

    static volatile Node list;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            Node tail = new Node();
            Node head = new Node();
            head.next = tail;
            list = head;
            tail.value = 2;
        });
        t.start();
        Node head = list;
        boolean same = true;
        if (head != null) {
            int first = head.next.value;
            same = first == head.next.value;
        }
        t.join();
        assert same;
    }
}
