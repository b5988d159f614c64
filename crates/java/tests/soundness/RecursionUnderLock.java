/** A monitor may be taken again by its owner, and is free only when all are given back. */
public class RecursionUnderLock {
    static int n;

    static synchronized void add(int times) {
        if (times > 0) {
            n++;
            add(times - 1);
            n++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> add(1));
        t.start();
        synchronized (RecursionUnderLock.class) {
            int before = n;
            add(1);
            assert n == before + 2;
        }
        t.join();
        assert n == 4;
    }
}
