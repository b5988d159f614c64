/**
 * A clock and its clients, which sleep for some ticks, after AlarmClock of PRSS 2007 (section 4.2) and RB 2011.
 * The repaired twin of AlarmClock.java: reading the time and setting the alarm are one synchronized step.
 * Parameters: clients (the first sleeps for one tick, the second for two, ...), alarms of each.
 *
 * sojourner check examples/java/AlarmClockFixed.java -- 2 1: clean
 */
public class AlarmClockFixed {
    private int now;
    private int latest;
    private int clients;

    AlarmClockFixed(int clients) {
        this.clients = clients;
    }

    synchronized int now() {
        return now;
    }

    synchronized void sleepUntil(int time) throws InterruptedException {
        assert time > now : "the alarm is set to the past";
        latest = Math.max(latest, time);
        notifyAll();
        while (now < time) {
            wait();
        }
    }

    synchronized void leave() {
        clients--;
        notifyAll();
    }

    /** Waits for an alarm that is still to ring and moves one tick towards it; false when all clients have left. */
    synchronized boolean tick() throws InterruptedException {
        while (now == latest && clients > 0) {
            wait();
        }
        if (now == latest) {
            return false;
        }
        now++;
        notifyAll();
        return true;
    }

    synchronized void sleep(int ticks) throws InterruptedException {
        int time = now() + ticks;
        sleepUntil(time);
    }

    void client(int ticks, int alarms) {
        try {
            for (int i = 0; i < alarms; i++) {
                sleep(ticks);
            }
            leave();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int clients = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int alarms = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        AlarmClockFixed clock = new AlarmClockFixed(clients);
        for (int i = 1; i <= clients; i++) {
            int ticks = i;
            new Thread(() -> clock.client(ticks, alarms)).start();
        }
        while (clock.tick()) {
            // The main thread is the clock.
        }
    }
}
