import java.lang.ref.WeakReference;

/** Clearing a reference is noticed by whoever looks at it twice. */
public class ReferenceCleared {
    static boolean first;
    static boolean second;

    public static void main(String[] args) throws Exception {
        Object object = new Object();
        WeakReference<Object> weak = new WeakReference<>(object);
        Thread t = new Thread(() -> {
            first = weak.refersTo(object);
            second = weak.get() != null;
        });
        t.start();
        weak.clear();
        t.join();
    }
}
