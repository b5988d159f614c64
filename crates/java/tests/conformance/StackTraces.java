import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Supplier;

/** Stack traces as text and as elements: line numbers, constructors, initialisers, lambdas, library frames. */
public class StackTraces {
    static class Base {
        Base(int n) {
            if (n == 0) {
                throw new IllegalStateException("n is " + n);
            }
        }
    }

    static class Derived extends Base {
        final int value =
                Integer.parseInt("12");

        Derived(int n) {
            super(n);
            class Local {
                void fail() {
                    throw new UnsupportedOperationException();
                }
            }
            new Local().fail();
        }
    }

    static int recurse(int depth) {
        return depth == 0 ? 1 / depth : recurse(depth - 1) + 1;
    }

    static void show(Throwable t) {
        System.out.println(t);
        for (StackTraceElement e : t.getStackTrace()) {
            System.out.println("  " + e.getClassName() + "." + e.getMethodName() + " " + e.getFileName() + ":" + e.getLineNumber()
                    + " " + e.isNativeMethod() + " " + e.getModuleName());
        }
    }

    static void attempt(Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            StringWriter text = new StringWriter();
            e.printStackTrace(new PrintWriter(text, true));
            for (String line : text.toString().split("\\R")) {
                // The names of hidden classes are not fixed.
                if (!line.contains("$$Lambda")) System.out.println(line);
            }
        }
    }

    public static void main(String[] args) {
        attempt(new Runnable() {
            public void run() {
                new Derived(0);
            }
        });
        attempt(() -> new Derived(1));
        attempt(() -> List.of(1, 2).add(3));
        attempt(() -> new java.util.ArrayList<>(List.of(1)).get(4));
        attempt(() -> Integer.parseInt("x1"));
        attempt(() -> java.util.stream.IntStream.range(0, 3).map(i -> 6 / (i - 2)).sum());
        Supplier<Throwable> made = Throwable::new;
        Throwable kept = made.get();
        System.out.println(kept.getStackTrace()[kept.getStackTrace().length - 1]);
        try {
            recurse(4);
        } catch (ArithmeticException e) {
            show(e);
        }
        Throwable bare = new Error("bare", null, false, false) { };
        show(bare);
        kept.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "b", "C.java", 7), new StackTraceElement("D", "e", null, -1),
            new StackTraceElement("F", "g", "H.java", -2)});
        kept.printStackTrace(System.out);
        new Throwable("elsewhere").fillInStackTrace().printStackTrace();
        StackWalker.getInstance().forEach(f -> System.out.println(f.getMethodName() + ":" + f.getLineNumber()));
    }
}
