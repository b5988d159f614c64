/** The object is published before it is filled. */
public class UnsafePublication {
    static class Point {
        int x;
        int y;
    }

    static Point point;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            Point made = new Point();
            made.x = 1;
            point = made;
            made.y = 1;
        });
        t.start();
        Point read = point;
        int seen = read == null ? 1 : read.y;
        t.join();
        assert seen == 1;
    }
}
