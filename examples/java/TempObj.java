/**
 * Threads that make many temporary objects, after TempObj of JPF 2001 (section 2.5, Table 2). No defect. Without
 * garbage collection the dead objects make equal states look different.
 * Parameters: threads, rounds of each.
 *
 * sojourner check examples/java/TempObj.java -- 2 5: clean
 */
public class TempObj {
    private static final class Temporary {
        final int value;

        Temporary(int value) {
            this.value = value;
        }
    }

    private int total;

    synchronized void add(Temporary term) {
        total += term.value;
    }

    void work(int rounds) {
        for (int i = 0; i < rounds; i++) {
            add(new Temporary(1));
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        TempObj shared = new TempObj();
        for (int i = 0; i < threads; i++) {
            new Thread(() -> shared.work(rounds)).start();
        }
    }
}
