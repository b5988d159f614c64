/** Two threads wait for the end of a third, and then both write to what it has written: one of the updates can be lost. */
public class OwnedBySecondHeir {
    static class Box {
        int n;
    }

    static final Box BOX = new Box();

    static void addAfter(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        BOX.n++;
    }

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> BOX.n = 1);
        Thread second = new Thread(() -> addAfter(first));
        first.start();
        second.start();
        addAfter(first);
        second.join();
    }
}
