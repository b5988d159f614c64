/**
 * A linked list to which several threads append, after LinkedList of RB 2011.
 * The repaired twin of LinkedList.java: appending is synchronized.
 * Parameters: threads, elements that each appends; the paper has two threads.
 *
 * sojourner check examples/java/LinkedListFixed.java -- 2 1: clean
 */
public class LinkedListFixed {
    private static final class Node {
        final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    private final Node head = new Node(0);

    synchronized void append(int value) {
        Node node = new Node(value);
        Node last = head;
        while (last.next != null) {
            last = last.next;
        }
        last.next = node;
    }

    int size() {
        int size = 0;
        for (Node node = head.next; node != null; node = node.next) {
            size++;
        }
        return size;
    }

    public static void main(String[] args) throws InterruptedException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int elements = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        LinkedListFixed list = new LinkedListFixed();
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int value = i;
            threads[i] = new Thread(() -> {
                for (int element = 0; element < elements; element++) {
                    list.append(value);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert list.size() == count * elements : "elements were lost";
    }
}
