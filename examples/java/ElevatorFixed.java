/**
 * Lifts that serve the calls of a building, after Elevator of PRSS 2007 (Table 1) and RB 2011.
 * The repaired twin of Elevator.java: a lift learns of a call and takes it in one synchronized step.
 * Parameters: floors, lifts, calls (the i-th on floor i modulo floors, made by the main thread).
 *
 * sojourner check examples/java/ElevatorFixed.java -- 2 2 2: clean
 */
public class ElevatorFixed {
    private final boolean[] calling;
    private int pending;
    private int toServe;

    ElevatorFixed(int floors, int calls) {
        this.calling = new boolean[floors];
        this.toServe = calls;
    }

    synchronized void call(int floor) throws InterruptedException {
        while (calling[floor]) {
            wait();
        }
        calling[floor] = true;
        pending++;
        notifyAll();
    }

    /** Waits for a call and serves it; false when all have been served. */
    synchronized boolean serveNext() throws InterruptedException {
        while (pending == 0 && toServe > 0) {
            wait();
        }
        if (pending == 0) {
            return false;
        }
        int floor = 0;
        while (!serve(floor)) {
            floor++;
        }
        return true;
    }

    private boolean serve(int floor) {
        if (!calling[floor]) {
            return false;
        }
        calling[floor] = false;
        pending--;
        toServe--;
        notifyAll();
        return true;
    }

    void lift() {
        try {
            while (serveNext()) {
                // The next one.
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int floors = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int lifts = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int calls = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        ElevatorFixed building = new ElevatorFixed(floors, calls);
        for (int i = 0; i < lifts; i++) {
            new Thread(building::lift).start();
        }
        for (int i = 0; i < calls; i++) {
            building.call(i % floors);
        }
    }
}
