//! clean
//! found assertion broken
// Two threads advance together by a phaser; broken: one does not wait for the other.
import java.util.concurrent.Phaser;
public class PhaserPhases {
    static volatile int written;
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Phaser phaser = new Phaser(2);
        Thread other = new Thread(() -> { written = 1; phaser.arriveAndDeregister(); });
        other.start();
        if (broken) phaser.arrive(); else phaser.arriveAndAwaitAdvance();
        assert written == 1;
        other.join();
    }
}
