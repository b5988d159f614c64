// exit: 5

/** Shutdown hooks run on exit; registering twice or removing; halt inside the last of them sets the status. */
public class ShutdownHooks {
    public static void main(String[] args) throws Exception {
        Runtime runtime = Runtime.getRuntime();
        Thread first = new Thread(() -> System.out.println("first hook"), "first");
        Thread removed = new Thread(() -> System.out.println("not reached: removed hook"));
        // One hook runs the rest in order, since hooks are started in no fixed order.
        Thread last = new Thread(() -> {
            try {
                first.join();
                System.out.println("last hook after " + first.getState());
                try {
                    runtime.addShutdownHook(new Thread());
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
                try {
                    runtime.removeShutdownHook(first);
                } catch (IllegalStateException e) {
                    System.out.println(e.getMessage());
                }
                System.out.flush();
            } catch (InterruptedException e) {
                System.out.println("not reached");
            }
        });
        runtime.addShutdownHook(removed);
        System.out.println(runtime.removeShutdownHook(removed) + " " + runtime.removeShutdownHook(removed));
        runtime.addShutdownHook(new Thread(() -> {
            first.start();
            last.run();
            Runtime.getRuntime().halt(5);
        }));
        try {
            Thread twice = new Thread();
            runtime.addShutdownHook(twice);
            runtime.addShutdownHook(twice);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread running = new Thread(() -> {
            try {
                runtime.addShutdownHook(Thread.currentThread());
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        });
        running.start();
        running.join();
        System.out.println("main ends");
    }
}
