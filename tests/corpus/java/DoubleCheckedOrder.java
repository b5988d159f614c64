//! clean
//! found assertion broken
// A singleton; without the second look two are made.
public class DoubleCheckedOrder {
    static volatile DoubleCheckedOrder instance;
    static int made;

    static DoubleCheckedOrder get(boolean broken) {
        if (instance == null) {
            synchronized (DoubleCheckedOrder.class) {
                if (broken || instance == null) {
                    made++;
                    instance = new DoubleCheckedOrder();
                }
            }
        }
        return instance;
    }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread a = new Thread(() -> get(broken)), b = new Thread(() -> get(broken));
        a.start(); b.start(); a.join(); b.join();
        assert made == 1;
    }
}
