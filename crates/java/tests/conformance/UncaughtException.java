// exit: 1

/** An exception leaves main: its text, causes, suppressed ones and exit status; finally blocks have run. */
public class UncaughtException {
    static class Trouble extends Exception {
        Trouble(String message, Throwable cause) {
            super(message, cause);
        }

        @Override
        public String getLocalizedMessage() {
            return "localised " + getMessage();
        }
    }

    static void deep(int n) {
        if (n == 0) {
            int[] a = new int[2];
            a[2] = 1;
        }
        deep(n - 1);
    }

    static void middle() throws Trouble {
        try {
            deep(3);
        } catch (ArrayIndexOutOfBoundsException e) {
            Trouble t = new Trouble("in the middle", e);
            t.addSuppressed(new RuntimeException("beside", new Error("below")));
            throw t;
        } finally {
            System.out.println("finally of middle");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> System.out.println("a thread that ends later does not change the status"));
        System.out.println("before");
        try {
            middle();
        } finally {
            worker.start();
            worker.join();
            System.out.println("finally of main");
        }
        System.out.println("not reached");
    }
}
