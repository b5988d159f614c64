//! clean
//! found deadlock broken
// A party leaves a phaser. Broken: it ends without deregistering, and the others wait for it.
import java.util.concurrent.Phaser;

public class PhaserDeregister {
    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(2);
        Thread leaves = new Thread(() -> {
            phaser.arriveAndAwaitAdvance();
            if (args.length == 0) phaser.arriveAndDeregister();
        });
        leaves.start();
        phaser.arriveAndAwaitAdvance();
        phaser.arriveAndAwaitAdvance();
        leaves.join();
    }
}
