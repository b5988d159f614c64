/** Two objects have two monitors and a counter each. */
public class InstanceSynchronized {
    int n;

    synchronized void add() {
        n++;
    }

    static int sum;

    public static void main(String[] args) throws Exception {
        InstanceSynchronized one = new InstanceSynchronized();
        InstanceSynchronized two = new InstanceSynchronized();
        Thread t = new Thread(() -> {
            one.add();
            two.add();
        });
        t.start();
        two.add();
        t.join();
        sum = 10 * one.n + two.n;
        assert sum == 12;
    }
}
