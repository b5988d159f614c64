/**
 * Two kinds of tasks that hand events to and fro, after Clean of RGDS 2007 (Tables 1 and 4).
 * The repaired twin of Clean.java: an event counts how often it was signalled, and waiting takes one of these signals.
 * Parameters: first tasks, second tasks (as many), rounds; the paper's are 1 1 12 and 10 10 1.
 *
 * sojourner check examples/java/CleanFixed.java -- 1 1 2: clean
 */
public class CleanFixed {
    private static final class Event {
        private int signals;

        synchronized void await() {
            try {
                while (signals == 0) {
                    wait();
                }
                signals--;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        synchronized void signal() {
            signals++;
            notify();
        }
    }

    public static void main(String[] args) {
        int firsts = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Event there = new Event();
        Event back = new Event();
        for (int i = 0; i < firsts; i++) {
            new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    there.await();
                    back.signal();
                }
            }).start();
        }
        for (int i = 0; i < seconds; i++) {
            new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    there.signal();
                    back.await();
                }
            }).start();
        }
    }
}
