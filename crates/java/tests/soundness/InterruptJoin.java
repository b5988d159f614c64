/** The main thread is interrupted by the thread that it joins. */
public class InterruptJoin {
    static int ended;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread t = new Thread(main::interrupt);
        t.start();
        try {
            t.join();
            ended = Thread.interrupted() ? 1 : 2;
        } catch (InterruptedException e) {
            ended = 3;
        }
        assert ended != 2;
    }
}
