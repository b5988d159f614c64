/** An object that is complete when it is published, and not written afterwards. */
public class SafePublication {
    static class Point {
        int x;
        int y;
    }

    static volatile Point point;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            Point made = new Point();
            made.x = 1;
            made.y = 1;
            point = made;
        });
        t.start();
        Point read = point;
        if (read != null) {
            seen = read.x + read.y;
            assert seen == 2;
        }
        t.join();
    }
}
