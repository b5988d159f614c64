//! clean
//! found deadlock broken
// Two modules lock strings of their own. Broken: the literals are equal, so they are one object.
public class InternedLock {
    public static void main(String[] args) throws Exception {
        Object first = "config", second = args.length > 0 ? "con" + "fig" : new String("config");
        Object other = "state";
        Thread thread = new Thread(() -> {
            synchronized (other) {
                synchronized (second) {
                    Thread.yield();
                }
            }
        });
        thread.start();
        synchronized (first) {
            synchronized (other) {
                Thread.yield();
            }
        }
        thread.join();
    }
}
