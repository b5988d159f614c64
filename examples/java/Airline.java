/**
 * Agents that sell the seats of a flight, after Airline of RGDS 2007 (Table 5): one agent is sent out for each
 * passenger who asks, until sales are stopped. They are stopped some seats early, because agents are on their way.
 * Defect: sales are stopped when that many seats are sold, and not when that many agents are out; if more agents than
 * the cushion are slow, more seats are sold than there are.
 * Parameters: agents (as many as passengers, who are one more than the seats), cushion (seats at which sales are
 * stopped early); the paper's are 6 1 to 20 4.
 *
 * sojourner check examples/java/Airline.java -- 3 1: found, assertion
 */
public class Airline {
    private final int seats;
    private final int cushion;
    private int sold;
    private boolean stopped;

    Airline(int seats, int cushion) {
        this.seats = seats;
        this.cushion = cushion;
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    synchronized void book() {
        sold++;
        if (sold >= seats - cushion) {
            stopped = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int agents = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int cushion = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Airline flight = new Airline(agents - 1, cushion);
        Thread[] threads = new Thread[agents];
        int out = 0;
        while (out < agents && !flight.isStopped()) {
            threads[out] = new Thread(flight::book);
            threads[out].start();
            out++;
        }
        for (int i = 0; i < out; i++) {
            threads[i].join();
        }
        assert flight.sold <= flight.seats : flight.sold + " tickets for " + flight.seats + " seats";
    }
}
