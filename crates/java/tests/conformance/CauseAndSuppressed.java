import java.io.IOException;
import java.io.UncheckedIOException;

/** Causes, initCause, suppressed exceptions, circular references and their printed form. */
public class CauseAndSuppressed {
    static Exception chain(int n) {
        return n == 0 ? new IOException("root") : new RuntimeException("level " + n, chain(n - 1));
    }

    public static void main(String[] args) {
        chain(3).printStackTrace(System.out);
        System.out.println(new RuntimeException(new IOException("x")).getMessage());
        System.out.println(new RuntimeException((Throwable) null).getMessage() + " " + new Error((String) null));
        Throwable t = new Throwable("t");
        System.out.println(t.getCause());
        t.initCause(new Error("later"));
        attempt(() -> t.initCause(new Error("twice")));
        attempt(() -> {
            Throwable s = new Throwable("s");
            s.initCause(s);
        });
        attempt(() -> t.addSuppressed(t));
        attempt(() -> t.addSuppressed(null));
        attempt(() -> new IllegalStateException("given", null).initCause(new Error()));
        Exception a = new Exception("a");
        Exception b = new Exception("b", a);
        a.addSuppressed(b);
        a.addSuppressed(new UncheckedIOException("u", new IOException("io")));
        b.printStackTrace(System.out);
        System.out.println(a.getSuppressed().length + " " + a.getSuppressed()[0].getMessage());
        a.getSuppressed()[0] = null;
        System.out.println(a.getSuppressed()[0] == b);
        try {
            try (AutoCloseable one = () -> {
                throw new IOException("close one");
            }; AutoCloseable two = () -> {
                throw new IOException("close two");
            }) {
                throw new IllegalArgumentException("body");
            }
        } catch (Exception e) {
            System.out.println(e + " " + java.util.Arrays.toString(e.getSuppressed()));
        }
        class Disabled extends Exception {
            Disabled() {
                super("disabled", null, false, true);
            }
        }
        Disabled d = new Disabled();
        d.addSuppressed(new Error());
        System.out.println(d + " " + d.getSuppressed().length + " " + (d.getStackTrace().length > 0));
        try {
            throw new ExceptionInInitializerError(new IOException("init"));
        } catch (ExceptionInInitializerError e) {
            System.out.println(e + " " + e.getCause() + " " + e.getException());
        }
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (RuntimeException e) {
            System.out.println(e + " / " + e.getCause());
        }
    }
}
