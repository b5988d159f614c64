/** A thread writes to its own object, and another one looks before the end. */
public class OwnedAndPeeped {
    static class Worker extends Thread {
        int steps;

        @Override
        public void run() {
            steps = 1;
            steps = 2;
        }
    }

    static int seen;

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        worker.start();
        seen = worker.steps;
        worker.join();
    }
}
