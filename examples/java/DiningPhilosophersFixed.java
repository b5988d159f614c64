/**
 * The dining philosophers over monitors, the classic example of a deadlock.
 * The repaired twin of DiningPhilosophers.java: the last philosopher takes the forks the other way round.
 * Parameters: philosophers, meals of each.
 *
 * sojourner check examples/java/DiningPhilosophersFixed.java -- 3 1: clean
 */
public class DiningPhilosophersFixed {
    static void dine(Object left, Object right, int meals) {
        for (int meal = 0; meal < meals; meal++) {
            synchronized (left) {
                synchronized (right) {
                    // Eats.
                }
            }
        }
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int meals = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Object[] forks = new Object[count];
        for (int i = 0; i < count; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < count; i++) {
            Object left = forks[Math.min(i, (i + 1) % count)];
            Object right = forks[Math.max(i, (i + 1) % count)];
            new Thread(() -> dine(left, right, meals)).start();
        }
    }
}
