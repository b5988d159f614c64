//! clean
//! found exit broken
// A runner whose status says whether an update was lost.
public class ExitDepends {
    static volatile int n;

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Runnable add = () -> {
            if (broken) n = n + 1;
            else synchronized (ExitDepends.class) { n = n + 1; }
        };
        Thread a = new Thread(add), b = new Thread(add);
        a.start(); b.start(); a.join(); b.join();
        System.exit(n == 2 ? 0 : 1);
    }
}
