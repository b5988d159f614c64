/**
 * Two threads that each create an object by the same instruction, after Figure 4 of JPF 2001: naming an object by its
 * instruction and occurrence is not enough here, the thread has to be part of the name. No defect, no parameters.
 *
 * sojourner check examples/java/TwoThreadsOneSite.java: clean
 */
public class TwoThreadsOneSite {
    private static final class Maker extends Thread {
        Object made;

        @Override
        public void run() {
            made = new Object();
        }
    }

    public static void main(String[] args) {
        new Maker().start();
        new Maker().start();
    }
}
