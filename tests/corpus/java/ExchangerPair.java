//! clean
//! found deadlock broken
// Two threads exchange values; a third one has no partner.
import java.util.concurrent.Exchanger;

public class ExchangerPair {
    public static void main(String[] args) {
        Exchanger<Integer> exchanger = new Exchanger<>();
        int threads = args.length > 0 ? 1 : 2;
        for (int i = 0; i < threads; i++) {
            int mine = i;
            new Thread(() -> {
                try { exchanger.exchange(mine); } catch (InterruptedException e) { throw new AssertionError(e); }
            }).start();
        }
    }
}
