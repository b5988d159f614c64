/**
 * The dining philosophers over monitors, the classic example of a deadlock.
 * Defect: every philosopher takes the left fork first, and all of them may hold one and wait for the other.
 * Parameters: philosophers, meals of each.
 *
 * sojourner check examples/java/DiningPhilosophers.java -- 3 1: found, deadlock
 */
public class DiningPhilosophers {
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
            Object left = forks[i];
            Object right = forks[(i + 1) % count];
            new Thread(() -> dine(left, right, meals)).start();
        }
    }
}
