import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Exchanger: two threads swap values and buffers, time out and are interrupted. */
public class Exchangers {
    public static void main(String[] args) throws Exception {
        Exchanger<String> exchanger = new Exchanger<>();
        String[] got = new String[2];
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; i < 3; i++) got[0] = (got[0] == null ? "" : got[0]) + exchanger.exchange("other" + i);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        got[1] = "";
        for (int i = 0; i < 3; i++) got[1] += exchanger.exchange("main" + i);
        other.join();
        System.out.println(got[0] + " " + got[1]);

        Exchanger<List<Integer>> buffers = new Exchanger<>();
        int[] total = new int[1];
        Thread drain = new Thread(() -> {
            try {
                List<Integer> empty = new ArrayList<>();
                for (int round = 0; round < 4; round++) {
                    List<Integer> full = buffers.exchange(empty);
                    for (int v : full) total[0] += v;
                    full.clear();
                    empty = full;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        drain.start();
        List<Integer> mine = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 10; i++) mine.add(round * 10 + i);
            mine = buffers.exchange(mine);
            System.out.println("got back " + mine);
        }
        drain.join();
        System.out.println(total[0]);
        try {
            exchanger.exchange("nobody", 1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timed out");
        }
        Thread.currentThread().interrupt();
        try {
            exchanger.exchange("nobody");
        } catch (InterruptedException e) {
            System.out.println("interrupted");
        }
        Thread nullGiver = new Thread(() -> {
            try {
                System.out.println("received " + exchanger.exchange(null));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        nullGiver.start();
        String received = exchanger.exchange("something", 1, TimeUnit.MINUTES);
        nullGiver.join();
        System.out.println("and gave " + received);
    }
}
