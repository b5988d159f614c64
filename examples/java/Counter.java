// Two threads add to one variable without a lock. If both read the same value, one update is lost.
public class Counter {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable add = () -> count++;
        Thread first = new Thread(add, "first"), second = new Thread(add, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        assert count == 2 : "count is " + count;
    }
}
