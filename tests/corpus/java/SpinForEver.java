//! clean
//! found hang broken
// A flag that is set on one path only.
public class SpinForEver {
    static volatile boolean started, stop;

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Thread t = new Thread(() -> { started = true; while (!stop) Thread.onSpinWait(); });
        t.start();
        if (!broken || started) stop = true;
    }
}
