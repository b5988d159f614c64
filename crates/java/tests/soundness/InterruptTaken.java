/** Whoever has taken an interrupt is not interrupted a second time by it. */
public class InterruptTaken {
    static boolean taken;

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread t = new Thread(main::interrupt);
        t.start();
        taken = Thread.interrupted();
        if (taken) {
            t.join();
        }
    }
}
