import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Signals have the numbers of the system; a handler runs on a thread of its own when the program raises its signal. */
public class Signals {
    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"HUP", "INT", "TERM", "USR1", "WINCH"}) {
            Signal signal = new Signal(name);
            System.out.println(signal + " " + signal.getName() + " " + signal.getNumber());
        }
        try {
            new Signal("NONE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Signal.handle(new Signal("KILL"), SignalHandler.SIG_IGN);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        CountDownLatch handled = new CountDownLatch(1);
        Signal.handle(new Signal("TERM"), signal -> {
            System.out.println("handles " + signal + " on " + Thread.currentThread().getName());
            handled.countDown();
        });
        Signal.raise(new Signal("TERM"));
        handled.await();
    }
}
