/**
 * Two threads that each create an object, each by an instruction of its own, after Figure 3 of JPF 2001: the order of
 * creation must not make two states of one. No defect, no parameters.
 *
 * sojourner check examples/java/TwoThreads.java: clean
 */
public class TwoThreads {
    private static final class ThreadOne extends Thread {
        Object made;

        @Override
        public void run() {
            made = new Object();
        }
    }

    private static final class ThreadTwo extends Thread {
        Object made;

        @Override
        public void run() {
            made = new Object();
        }
    }

    public static void main(String[] args) {
        new ThreadOne().start();
        new ThreadTwo().start();
    }
}
