//! found exit
//! clean same
// Two threads end the program with statuses of their own.
public class ExitFirst {
    public static void main(String[] args) {
        boolean same = args.length > 0;
        new Thread(() -> System.exit(3)).start();
        new Thread(() -> System.exit(same ? 3 : 4)).start();
    }
}
