/**
 * Peterson's lock for two threads, which spin on volatile fields. Correct: the search must close the spinning loops by
 * itself and end without a false alarm.
 * Parameters: rounds of each thread.
 *
 * sojourner check examples/java/PetersonSpin.java -- 2: clean
 */
public class PetersonSpin {
    private volatile boolean firstWants;
    private volatile boolean secondWants;
    private volatile boolean secondsTurn;
    private int inside;

    private void critical() {
        inside++;
        assert inside == 1 : "both threads are inside";
        inside--;
    }

    void first(int rounds) {
        for (int i = 0; i < rounds; i++) {
            firstWants = true;
            secondsTurn = true;
            while (secondWants && secondsTurn) {
                Thread.onSpinWait();
            }
            critical();
            firstWants = false;
        }
    }

    void second(int rounds) {
        for (int i = 0; i < rounds; i++) {
            secondWants = true;
            secondsTurn = false;
            while (firstWants && !secondsTurn) {
                Thread.onSpinWait();
            }
            critical();
            secondWants = false;
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        PetersonSpin lock = new PetersonSpin();
        new Thread(() -> lock.first(rounds)).start();
        new Thread(() -> lock.second(rounds)).start();
    }
}
