import java.lang.ref.WeakReference;

/** Whoever asks for a collection of garbage has weak references cleared, before or after another looks at them. */
public class WeaklyHeld {
    static boolean seen;

    public static void main(String[] args) throws Exception {
        WeakReference<int[]> weak = new WeakReference<>(new int[1]);
        int[] array = new int[1];
        WeakReference<int[]> held = new WeakReference<>(array);
        Thread t = new Thread(() -> seen = weak.get() != null);
        t.start();
        System.gc();
        assert weak.get() == null;
        assert held.get() == array;
        t.join();
    }
}
