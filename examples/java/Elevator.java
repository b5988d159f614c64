/**
 * Lifts that serve the calls of a building, after Elevator of PRSS 2007 (Table 1) and RB 2011.
 * Defect: a lift learns that there is a call, and only then drives up floor by floor to find the call; another
 * lift may have taken it by then, and the first one drives through the roof.
 * Parameters: floors, lifts, calls (the i-th on floor i modulo floors, made by the main thread).
 *
 * sojourner check examples/java/Elevator.java -- 2 2 2: found, exception (ArrayIndexOutOfBoundsException)
 */
public class Elevator {
    private final boolean[] calling;
    private int pending;
    private int toServe;

    Elevator(int floors, int calls) {
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

    /** Waits for a call; false when all have been served. */
    synchronized boolean isCalled() throws InterruptedException {
        while (pending == 0 && toServe > 0) {
            wait();
        }
        return pending > 0;
    }

    synchronized boolean serve(int floor) {
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
            while (isCalled()) {
                int floor = 0;
                while (!serve(floor)) {
                    floor++;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int floors = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int lifts = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int calls = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Elevator building = new Elevator(floors, calls);
        for (int i = 0; i < lifts; i++) {
            new Thread(building::lift).start();
        }
        for (int i = 0; i < calls; i++) {
            building.call(i % floors);
        }
    }
}
