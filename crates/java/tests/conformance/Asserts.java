// exit: 1

/** Assertions are on: conditions, messages of every type, their evaluation, status of a class, and one that fails main. */
public class Asserts {
    static int evaluated;

    static boolean check(boolean value) {
        evaluated++;
        return value;
    }

    static String message() {
        evaluated += 100;
        return "made";
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("held");
        } catch (AssertionError e) {
            System.out.println(e.getMessage() + " | " + e.getCause() + " | " + e.getStackTrace()[0].getMethodName().startsWith("lambda"));
        }
    }

    static class Inner {
        static {
            assert check(true) : "in a static block";
        }

        static int value = 3;
    }

    interface WithAssert {
        default void method(int n) {
            assert n > 0 : n;
        }
    }

    public static void main(String[] args) {
        boolean on = false;
        assert on = true;
        System.out.println("assertions on: " + on + " " + Asserts.class.desiredAssertionStatus());
        attempt(() -> {
            assert check(true) : message();
        });
        System.out.println(evaluated);
        attempt(() -> {
            assert check(false) : message();
        });
        System.out.println(evaluated);
        attempt(() -> {
            assert false;
        });
        attempt(() -> {
            assert false : 5;
        });
        attempt(() -> {
            assert false : 'c';
        });
        attempt(() -> {
            assert false : 1L << 40;
        });
        attempt(() -> {
            assert false : 2.5;
        });
        attempt(() -> {
            assert false : true;
        });
        attempt(() -> {
            assert false : null;
        });
        attempt(() -> {
            assert false : new IllegalStateException("as a message");
        });
        attempt(() -> new WithAssert() { }.method(-3));
        System.out.println(Inner.value + " " + evaluated);
        try {
            throw new AssertionError("explicit", new RuntimeException("cause"));
        } catch (AssertionError e) {
            System.out.println(e + " " + e.getCause());
        }
        int balance = 10 - args.length * 2 - 15;
        assert balance >= 0 : "balance is " + balance;
        System.out.println("not reached");
    }
}
