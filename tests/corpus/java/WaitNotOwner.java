//! clean
//! found exception broken
// notify needs the monitor. Broken: the monitor of another object is held.
public class WaitNotOwner {
    static final Object first = new Object(), second = new Object();

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            synchronized (args.length > 0 ? first : second) {
                second.notifyAll();
            }
        });
        other.start();
        other.join();
    }
}
