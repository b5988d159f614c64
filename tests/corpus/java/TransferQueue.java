//! clean
//! found assertion broken
// transfer returns when a consumer has taken the element. Broken: put returns before.
import java.util.concurrent.LinkedTransferQueue;

public class TransferQueue {
    public static void main(String[] args) throws Exception {
        LinkedTransferQueue<String> queue = new LinkedTransferQueue<>();
        Thread consumer = new Thread(() -> {
            try {
                queue.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        consumer.start();
        if (args.length > 0) queue.put("a");
        else queue.transfer("a");
        assert queue.isEmpty();
        consumer.join();
    }
}
