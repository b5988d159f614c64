/**
 * Tasks of the Remote Agent's executive that wake each other by events, after RaxExtended of PRSS 2007 (Table 1), RGDS
 * 2007 and RB 2011, and RemoteAgent of JPF 2001.
 * The repaired twin of RaxExtended.java: the comparison and the wait are one synchronized step.
 * Parameters: first tasks (wait for event 1, signal event 2), second tasks (the other way round). The tasks are
 * endless, as in the paper; the counts wrap, which keeps the states finite.
 *
 * sojourner check --livelock off examples/java/RaxExtendedFixed.java -- 1 1: clean
 */
public class RaxExtendedFixed {
    private static final class Event {
        private final int wrap;
        private int count;

        Event(int wrap) {
            this.wrap = wrap;
        }

        /** Waits until the count is another than the one that was seen, and returns it. */
        synchronized int await(int seen) throws InterruptedException {
            while (seen == count) {
                wait();
            }
            return count;
        }

        synchronized void signal() {
            count = (count + 1) % wrap;
            notifyAll();
        }
    }

    static void first(Event awaited, Event signalled) {
        try {
            int seen = 0;
            while (true) {
                seen = awaited.await(seen);
                signalled.signal();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void second(Event awaited, Event signalled) {
        try {
            int seen = 0;
            while (true) {
                signalled.signal();
                seen = awaited.await(seen);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        int firsts = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        // More than the signals that can come between two looks of the task that looked last: the wrap hides none.
        int wrap = firsts * seconds + 2 * Math.max(firsts, seconds) + 1;
        Event one = new Event(wrap);
        Event two = new Event(wrap);
        for (int i = 0; i < firsts; i++) {
            new Thread(() -> first(one, two)).start();
        }
        for (int i = 0; i < seconds; i++) {
            new Thread(() -> second(two, one)).start();
        }
    }
}
