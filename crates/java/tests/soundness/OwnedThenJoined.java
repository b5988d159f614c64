/** Each thread writes to its own object only, and whoever has waited for its end reads what it has left there. */
public class OwnedThenJoined {
    static class Worker extends Thread {
        int sum;

        @Override
        public void run() {
            sum += 1;
            sum += 2;
        }
    }

    static int total;

    public static void main(String[] args) throws Exception {
        Worker first = new Worker();
        Worker second = new Worker();
        first.start();
        second.start();
        first.join();
        total += first.sum;
        first.sum = 0;
        second.join();
        total += second.sum;
        assert total == 6;
    }
}
