/**
 * Lamport's bakery lock for two threads over volatile fields.
 * Defect: the choosing flags are left out; a thread that is still choosing its number is overlooked by the other, and
 * both enter with the same number. Java PathFinder misses it.
 * Parameters: rounds of each thread.
 *
 * sojourner check examples/java/BakeryNoChoosing.java -- 1: found, assertion
 */
public class BakeryNoChoosing {
    private volatile int numberOfFirst;
    private volatile int numberOfSecond;
    private volatile int inside;

    private void critical() {
        inside = inside + 1;
        assert inside == 1 : "both threads are inside";
        inside = inside - 1;
    }

    void first(int rounds) {
        for (int i = 0; i < rounds; i++) {
            int mine = numberOfSecond + 1;
            numberOfFirst = mine;
            while (true) {
                int other = numberOfSecond;
                if (other == 0 || mine <= other) {
                    break;
                }
            }
            critical();
            numberOfFirst = 0;
        }
    }

    void second(int rounds) {
        for (int i = 0; i < rounds; i++) {
            int mine = numberOfFirst + 1;
            numberOfSecond = mine;
            while (true) {
                int other = numberOfFirst;
                if (other == 0 || mine < other) {
                    break;
                }
            }
            critical();
            numberOfSecond = 0;
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        BakeryNoChoosing lock = new BakeryNoChoosing();
        new Thread(() -> lock.first(rounds)).start();
        new Thread(() -> lock.second(rounds)).start();
    }
}
