import java.util.ArrayList;
import java.util.List;

/** A program of many small things, whose class file is damaged and then run. */
public class Runs implements Runnable {
    static int count;
    final long[] cells = new long[4];
    Object last = "none";

    interface Shape {
        double area();

        default String name() {
            return "shape " + area();
        }
    }

    public synchronized void run() {
        for (int i = 0; i < 20; i++) {
            cells[i & 3] += i * 3L;
            count += (int) (cells[i & 3] % 7);
        }
        last = new Object[] {cells, count};
    }

    static int pick(int key, String text) {
        switch (key) {
            case 0: return text.length();
            case 1: return text.charAt(0);
            case 7: return -1;
            default: return key;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Runs runs = new Runs();
        Thread thread = new Thread(runs);
        thread.start();
        List<Shape> shapes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            final int side = i;
            shapes.add(() -> side * 2.5);
        }
        StringBuilder text = new StringBuilder();
        for (Shape shape : shapes) {
            text.append(shape.name()).append(';');
        }
        int[][] grid = new int[3][4];
        try {
            grid[2][3] = pick(shapes.size(), text.toString());
            grid[3][0] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            text.append(e.getMessage());
        } finally {
            grid[0] = null;
        }
        synchronized (runs) {
            runs.cells[0]++;
            runs.notifyAll();
        }
        thread.join(10);
        Object object = runs.last;
        if (object instanceof Object[]) {
            text.append(((Object[]) object).length).append((float) count / 3).append((char) (count & 127));
        }
        System.out.println(text);
    }
}
