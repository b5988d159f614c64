// Two threads add to one variable under a lock.
public class CounterFixed {
    static int count;

    static synchronized void add() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread first = new Thread(CounterFixed::add, "first"), second = new Thread(CounterFixed::add, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        assert count == 2 : "count is " + count;
    }
}
