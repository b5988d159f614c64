import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Philosophers that eat a given number of meals each. They take the fork of the lower number first. */
public class Dinner {
    public static void main(String[] arguments) throws InterruptedException {
        int seats = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int meals = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        Lock[] forks = new Lock[seats];
        for (int i = 0; i < seats; i++) {
            forks[i] = new ReentrantLock();
        }
        int[] eaten = new int[seats];
        CountDownLatch done = new CountDownLatch(seats);
        for (int i = 0; i < seats; i++) {
            int seat = i;
            int first = Math.min(seat, (seat + 1) % seats);
            int second = Math.max(seat, (seat + 1) % seats);
            new Thread(() -> {
                for (int meal = 0; meal < meals; meal++) {
                    forks[first].lock();
                    forks[second].lock();
                    try {
                        eaten[seat]++;
                    } finally {
                        forks[second].unlock();
                        forks[first].unlock();
                    }
                }
                done.countDown();
            }, "philosopher " + seat).start();
        }
        done.await();
        for (int i = 0; i < seats; i++) {
            System.out.println("philosopher " + i + " has eaten " + eaten[i] + " meals");
        }
    }
}
