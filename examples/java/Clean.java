/**
 * Two kinds of tasks that hand events to and fro, after Clean of RGDS 2007 (Tables 1 and 4).
 * Defect: waiting for an event is a bare `wait` without a condition: an event that was signalled before is lost.
 * Parameters: first tasks, second tasks (as many), rounds; the paper's are 1 1 12 and 10 10 1.
 *
 * sojourner check examples/java/Clean.java -- 1 1 2: found, deadlock
 */
public class Clean {
    private static final class Event {
        synchronized void await() {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        synchronized void signal() {
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
