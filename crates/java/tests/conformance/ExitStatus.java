// exit: 42
// args: one "two three" 42

/** System.exit from deep inside: no finally block runs, the status is the argument's. */
public class ExitStatus {
    static void leave(int status) {
        try {
            try {
                System.out.println("leaving with " + status);
                System.exit(status);
            } finally {
                System.out.println("not reached: finally");
            }
        } catch (Throwable t) {
            System.out.println("not reached: catch");
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(args.length + " arguments");
        for (String arg : args) {
            System.out.println("[" + arg + "]");
        }
        Thread waiting = new Thread(() -> {
            synchronized (args) {
                try {
                    args.wait();
                } catch (InterruptedException e) {
                    System.out.println("not reached: interrupted");
                }
            }
        });
        waiting.start();
        System.err.println("to standard error");
        System.out.print("no newline at the end of this");
        System.out.println();
        System.err.print("partial line");
        leave(Integer.parseInt(args[args.length - 1]));
    }
}
