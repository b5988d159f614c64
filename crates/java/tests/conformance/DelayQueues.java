import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** DelayQueue: elements come out when their delay has passed, in order of expiry. */
public class DelayQueues {
    record Task(String name, long due) implements Delayed {
        static final long START = System.nanoTime();

        static Task in(String name, long millis) {
            return new Task(name, START + TimeUnit.MILLISECONDS.toNanos(millis));
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(due, ((Task) other).due);
        }
    }

    public static void main(String[] args) throws Exception {
        DelayQueue<Task> queue = new DelayQueue<>();
        queue.put(Task.in("third", 60));
        queue.put(Task.in("first", 20));
        queue.put(Task.in("second", 40));
        Task far = Task.in("far", 1_000_000);
        queue.offer(far);
        System.out.println(queue.size() + " " + queue.peek().name());
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            Task t = queue.take();
            order.append(t.name()).append(t.getDelay(TimeUnit.MILLISECONDS) <= 0 ? " due, " : " early, ");
        }
        System.out.println(order + "" + (System.nanoTime() - Task.START >= 60_000_000));
        System.out.println(queue.poll() + " " + queue.poll(1, TimeUnit.MILLISECONDS) + " " + queue.remainingCapacity());
        System.out.println(queue.remove(far) + " " + queue.isEmpty() + " " + queue.peek());
        queue.put(Task.in("past", -5));
        queue.put(Task.in("older", -50));
        queue.put(Task.in("future", 1_000_000));
        List<Task> due = new ArrayList<>();
        System.out.println(queue.drainTo(due) + " " + due.stream().map(Task::name).toList() + " " + queue.size());
        queue.clear();
        Thread taker = new Thread(() -> {
            try {
                System.out.println("took " + queue.take().name());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        queue.put(Task.in("late", 1_000_000));
        taker.start();
        while (taker.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        queue.put(Task.in("overtaking", 500));
        taker.join();
        System.out.println(queue.size());
    }
}
