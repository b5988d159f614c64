/** A list is handed over with all that it reaches; only the new owner writes to it. */
public class GraphHandedOver {
    static class Node {
        int value;
        Node next;
    }

    static volatile Node list;
    static int sum;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            Node tail = new Node();
            tail.value = 2;
            Node head = new Node();
            head.next = tail;
            head.value = 1;
            list = head;
        });
        t.start();
        Node head = list;
        if (head != null) {
            head.next.value += head.value;
            sum = head.next.value;
            assert sum == 3;
        }
        t.join();
    }
}
