/**
 * Agents that sell the seats of a flight, after Airline of RGDS 2007 (Table 5).
 * The repaired twin of Airline.java: looking and selling are one synchronized step.
 * Parameters: agents (each sells at most one ticket), cushion (agents more than seats); the paper's are 6 1 to 20 4.
 *
 * sojourner check examples/java/AirlineFixed.java -- 3 1: clean
 */
public class AirlineFixed {
    private final int seats;
    private int sold;
    private boolean stopped;

    AirlineFixed(int seats) {
        this.seats = seats;
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    synchronized void book() {
        sold++;
        if (sold == seats) {
            stopped = true;
        }
    }

    synchronized void sell() {
        if (!isStopped()) {
            book();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int agents = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int cushion = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        AirlineFixed flight = new AirlineFixed(agents - cushion);
        Thread[] threads = new Thread[agents];
        for (int i = 0; i < agents; i++) {
            threads[i] = new Thread(flight::sell);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert flight.sold <= flight.seats : flight.sold + " tickets for " + flight.seats + " seats";
    }
}
