import java.util.concurrent.FutureTask;

/** Waits for what another thread calculates. */
public class FutureResult {
    static int result;

    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 1);
        Thread t = new Thread(task);
        t.start();
        result = task.get();
        assert result == 1;
    }
}
