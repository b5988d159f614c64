/** The thread is started before its field is set. */
public class StartTooEarly {
    static class Worker extends Thread {
        int input;
        int output;

        @Override
        public void run() {
            output = input;
        }
    }

    static int result;

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        worker.start();
        worker.input = 1;
        worker.join();
        result = worker.output;
        assert result == 1;
    }
}
