import sojourner.Verify;

/**
 * A scheduler with time partitioning, after DEOS of PRSS 2007 (Table 1) and RGDS 2007: a process's main thread hands
 * part of its budget to a thread that it creates and gets it back when it deletes the thread; every period fills the
 * budgets.
 * Defect: the deleted thread's whole allotment is given back even if it has used some of it in this period, so that
 * the process runs for longer than the period.
 * Parameters: period (units of time), allotment of the created thread, periods, and whether time is abstracted: then the
 * created thread uses a unit of its budget or leaves it, and each is explored.
 *
 * sojourner check examples/java/Deos.java -- 2 1 1: found, assertion
 */
public class Deos {
    private final int period;
    private final int allotment;
    private final boolean abstracted;
    private int mainBudget;
    private int childBudget;
    private boolean childExists;
    private int spent;

    Deos(int period, int allotment, boolean abstracted) {
        this.period = period;
        this.allotment = allotment;
        this.abstracted = abstracted;
        this.mainBudget = period;
    }

    synchronized void create() {
        childExists = true;
        int given = Math.min(allotment, mainBudget);
        childBudget = given;
        mainBudget -= given;
    }

    synchronized void delete() {
        mainBudget += allotment;
        childBudget = 0;
        childExists = false;
    }

    synchronized boolean runMain() {
        if (mainBudget == 0) {
            return false;
        }
        mainBudget--;
        spend();
        return true;
    }

    synchronized boolean runChild() {
        if (childBudget == 0) {
            return false;
        }
        childBudget--;
        spend();
        return true;
    }

    private void spend() {
        spent++;
        assert spent <= period : "the process overran its period";
    }

    private boolean timePasses() {
        return !abstracted || Verify.choose();
    }

    synchronized void endPeriod() {
        spent = 0;
        childBudget = childExists ? allotment : 0;
        mainBudget = period - childBudget;
    }

    void mainThread() {
        create();
        runMain();
        delete();
        while (runMain()) {
            // Until the budget is used up.
        }
    }

    void childThread() {
        while (timePasses() && runChild()) {
            // Until the budget is used up.
        }
    }

    public static void main(String[] args) {
        int period = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int allotment = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int periods = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        boolean abstracted = args.length > 3 && Boolean.parseBoolean(args[3]);
        Deos kernel = new Deos(period, allotment, abstracted);
        new Thread(kernel::mainThread).start();
        new Thread(kernel::childThread).start();
        for (int i = 1; i < periods; i++) {
            kernel.endPeriod();
        }
    }
}
