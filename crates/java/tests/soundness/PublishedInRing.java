/** An object that is stored in one that was published long ago, by way of a private one in between. */
public class PublishedInRing {
    static class Node {
        Node next;
        int value;
    }

    static final Node ROOT = new Node();
    static boolean added;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            Node read = ROOT.next;
            if (read != null && read.next != null) {
                read.next.value++;
                added = true;
            }
        });
        t.start();
        Node middle = new Node();
        ROOT.next = middle;
        Node last = new Node();
        middle.next = last;
        last.value++;
        t.join();
        assert last.value == (added ? 2 : 1);
    }
}
