/**
 * Two threads that each load a class, after Figure 2 of JPF 2001: the order of loading must not make two states of
 * one.
 * No defect, no parameters.
 *
 * sojourner check examples/java/TwoClasses.java: clean
 */
public class TwoClasses {
    private static final class A {
        static int field;
    }

    private static final class B {
        static int field;
    }

    private static final class ThreadOne extends Thread {
        @Override
        public void run() {
            A.field = 1;
        }
    }

    private static final class ThreadTwo extends Thread {
        @Override
        public void run() {
            B.field = 2;
        }
    }

    public static void main(String[] args) {
        new ThreadOne().start();
        new ThreadTwo().start();
    }
}
