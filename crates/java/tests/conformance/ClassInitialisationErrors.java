/** Errors of class initialisation: the first use, later uses, checked causes, missing classes and members. */
public class ClassInitialisationErrors {
    static class Fails {
        static int n = Integer.parseInt("none");

        static void use() { }
    }

    static class FailsWithError {
        static {
            if (true) throw new StackOverflowError("made up");
        }
    }

    static class ChildOfFails extends Fails {
        static {
            System.out.println("never");
        }
    }

    static class Waits {
        static volatile boolean entered;
        static final int VALUE;

        static {
            entered = true;
            VALUE = 42;
        }
    }

    interface Body {
        void run() throws Throwable;
    }

    static void attempt(String name, Body body) {
        try {
            body.run();
            System.out.println(name + ": fine");
        } catch (Throwable t) {
            System.out.println(name + ": " + t);
            for (Throwable c = t.getCause(); c != null; c = c.getCause()) {
                System.out.println("  by " + c);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        attempt("first", Fails::use);
        attempt("second", () -> System.out.println(Fails.n));
        attempt("child", ChildOfFails::new);
        attempt("child again", ChildOfFails::new);
        attempt("error", FailsWithError::new);
        attempt("error again", FailsWithError::new);
        attempt("array", () -> System.out.println(new FailsWithError[1].length));
        attempt("missing", () -> Class.forName("no.such.Class"));
        attempt("missing array", () -> Class.forName("[Lno.such.Class;"));
        attempt("wrong name", () -> Class.forName("java/lang/String"));
        attempt("by reflection", () -> Class.forName("ClassInitialisationErrors$Fails"));
        attempt("no field", () -> Waits.class.getDeclaredField("nothing"));
        attempt("no method", () -> Waits.class.getMethod("nothing", int.class, String[].class));
        attempt("no constructor", () -> Integer.class.getConstructor());
        attempt("abstract", () -> Number.class.getDeclaredConstructor().newInstance());
        Thread[] threads = new Thread[3];
        int[] seen = new int[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> seen[me] = Waits.VALUE);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(java.util.Arrays.toString(seen) + Waits.entered);
    }
}
