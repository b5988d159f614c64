/**
 * Dining philosophers, none of whom can starve the others, with further objects in the heap that every state holds: a
 * list that is read now and then and never changed.
 * Parameters: philosophers, meals of each, further objects.
 */
public class Laden {
    private static final class Link {
        final int value;
        Link next;

        Link(int value, Link next) {
            this.value = value;
            this.next = next;
        }
    }

    private static void dine(Object left, Object right, int meals, Link menu) {
        for (int meal = 0; meal < meals; meal++) {
            synchronized (left) {
                synchronized (right) {
                    assert menu == null || menu.value >= 0;
                }
            }
        }
    }

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int meals = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int further = args.length > 2 ? Integer.parseInt(args[2]) : 50;
        Link list = null;
        for (int i = 0; i < further; i++) {
            list = new Link(i, list);
        }
        Link menu = list;
        Object[] forks = new Object[count];
        for (int i = 0; i < count; i++) {
            forks[i] = new Object();
        }
        for (int i = 0; i < count; i++) {
            Object left = forks[Math.min(i, (i + 1) % count)];
            Object right = forks[Math.max(i, (i + 1) % count)];
            new Thread(() -> dine(left, right, meals, menu)).start();
        }
    }
}
