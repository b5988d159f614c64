/**
 * Agents that sell the seats of a flight, after Airline of RGDS 2007 (Table 5).
 * Defect: an agent looks whether seats are left and sells one in two steps; together they sell more than there are.
 * Parameters: agents (each sells at most one ticket), cushion (agents more than seats); the paper's are 6 1 to 20 4.
 *
 * sojourner check examples/java/Airline.java -- 3 1: found, assertion
 */
public class Airline {
    private final int seats;
    private int sold;
    private boolean stopped;

    Airline(int seats) {
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

    void sell() {
        if (!isStopped()) {
            book();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int agents = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int cushion = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Airline flight = new Airline(agents - cushion);
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
