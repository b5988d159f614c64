/**
 * Lifts that serve the calls of a building, after Elevator of PRSS 2007 (Table 1) and RB 2011. A lift claims a call, so
 * that no other lift goes there; if that floor is empty, it looks on the next one.
 * Defect: a lift that arrives gives up its claim and takes the people in in two steps. A second lift that looks for a call
 * in between drives to the same floor. If that is the top floor, and the people are gone by then, it drives through the
 * roof.
 * Parameters: floors, lifts, calls (made by the main thread: the first from the top floor, then from each floor below,
 * and then again from all floors but the top one).
 *
 * sojourner check examples/java/Elevator.java -- 2 2 2: found, exception (ArrayIndexOutOfBoundsException)
 */
public class Elevator {
    private final boolean[] calling;
    private final boolean[] claimed;
    private int toServe;

    Elevator(int floors, int calls) {
        this.calling = new boolean[floors];
        this.claimed = new boolean[floors];
        this.toServe = calls;
    }

    synchronized void call(int floor) throws InterruptedException {
        while (calling[floor]) {
            wait();
        }
        calling[floor] = true;
        notifyAll();
    }

    /** Waits for a call that no lift has claimed, and claims it; -1 when all have been served. */
    synchronized int nextCall() throws InterruptedException {
        while (toServe > 0) {
            for (int floor = calling.length - 1; floor >= 0; floor--) {
                if (calling[floor] && !claimed[floor]) {
                    claimed[floor] = true;
                    return floor;
                }
            }
            wait();
        }
        return -1;
    }

    /** Whether people wait on this floor, for whom the doors open. */
    synchronized boolean open(int floor) {
        claimed[floor] = false;
        return calling[floor];
    }

    synchronized void takeIn(int floor) {
        if (calling[floor]) {
            calling[floor] = false;
            toServe--;
            notifyAll();
        }
    }

    void lift() {
        try {
            for (int target = nextCall(); target >= 0; target = nextCall()) {
                int at = target;
                if (!open(at)) {
                    // The people may have taken the stairs.
                    at++;
                    open(at);
                }
                takeIn(at);
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
            building.call(i < floors ? floors - 1 - i : i % (floors - 1));
        }
    }
}
