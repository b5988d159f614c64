//! clean
//! found deadlock broken
// Three philosophers with monitors as forks; broken: all take the left fork first.
public class Philosophers {
    public static void main(String[] args) {
        boolean broken = args.length > 0;
        Object[] forks = {new Object(), new Object(), new Object()};
        for (int n = 0; n < 3; n++) {
            int left = n, right = (n + 1) % 3;
            int first = broken ? left : Math.min(left, right), second = broken ? right : Math.max(left, right);
            new Thread(() -> { synchronized (forks[first]) { synchronized (forks[second]) { } } }).start();
        }
    }
}
