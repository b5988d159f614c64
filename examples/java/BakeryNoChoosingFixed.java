/**
 * Lamport's bakery lock for two threads over volatile fields.
 * The repaired twin of BakeryNoChoosing.java: with the choosing flags.
 * Parameters: rounds of each thread.
 *
 * sojourner check examples/java/BakeryNoChoosingFixed.java -- 1: clean
 */
public class BakeryNoChoosingFixed {
    private volatile boolean firstIsChoosing;
    private volatile boolean secondIsChoosing;
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
            firstIsChoosing = true;
            int mine = numberOfSecond + 1;
            numberOfFirst = mine;
            firstIsChoosing = false;
            while (secondIsChoosing) {
                Thread.onSpinWait();
            }
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
            secondIsChoosing = true;
            int mine = numberOfFirst + 1;
            numberOfSecond = mine;
            secondIsChoosing = false;
            while (firstIsChoosing) {
                Thread.onSpinWait();
            }
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
        BakeryNoChoosingFixed lock = new BakeryNoChoosingFixed();
        new Thread(() -> lock.first(rounds)).start();
        new Thread(() -> lock.second(rounds)).start();
    }
}
