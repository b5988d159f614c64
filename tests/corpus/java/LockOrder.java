//! clean
//! found deadlock broken
// Two monitors in two orders.
public class LockOrder {
    public static void main(String[] args) {
        Object a = new Object(), b = new Object();
        boolean broken = args.length > 0;
        new Thread(() -> { synchronized (a) { synchronized (b) { } } }).start();
        new Thread(() -> {
            synchronized (broken ? b : a) { synchronized (broken ? a : b) { } }
        }).start();
    }
}
