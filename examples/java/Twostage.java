/**
 * An update in two stages, each under its own lock, after Twostage of RGDS 2007 (Table 1).
 * Defect: there is no data race, but between the two stages a reader sees the first value without the second.
 * Parameters: updaters, readers; the paper's go up to 8 1.
 *
 * sojourner check examples/java/Twostage.java -- 1 1: found, assertion
 */
public class Twostage {
    private final Object firstLock = new Object();
    private final Object secondLock = new Object();
    private int first;
    private int second;

    void update() {
        synchronized (firstLock) {
            first = 1;
        }
        synchronized (secondLock) {
            second = 2;
        }
    }

    void read() {
        int one;
        int two;
        synchronized (firstLock) {
            one = first;
        }
        synchronized (secondLock) {
            two = second;
        }
        assert one == 0 || two == one + 1 : "the first stage was seen without the second";
    }

    public static void main(String[] args) {
        int updaters = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int readers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Twostage data = new Twostage();
        for (int i = 0; i < updaters; i++) {
            new Thread(data::update).start();
        }
        for (int i = 0; i < readers; i++) {
            new Thread(data::read).start();
        }
    }
}
