/** An object becomes shared because the object that refers to it does. */
public class PublishedThroughPrivate {
    static class Box {
        Box inner;
        int value;
    }

    static Box shared;
    static boolean added;

    public static void main(String[] args) throws Exception {
        Box inner = new Box();
        Box outer = new Box();
        outer.inner = inner;
        Thread t = new Thread(() -> {
            Box read = shared;
            if (read != null) {
                read.inner.value++;
                added = true;
            }
        });
        t.start();
        shared = outer;
        inner.value++;
        t.join();
        assert inner.value == (added ? 2 : 1);
    }
}
