//! found exit
//! clean fixed
// A worker ends the process with a status, if main has not returned by then.
public class ExitInThread {
    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> System.exit(3));
        worker.setDaemon(true);
        worker.start();
        if (args.length > 0) worker.join();
    }
}
