//! clean
//! found deadlock broken
// Two classes whose initialisers need each other.
public class InitialiserDeadlock {
    static boolean broken;
    static class A { static int a = broken ? B.b + 1 : 1; }
    static class B { static int b = A.a + 1; }

    public static void main(String[] args) {
        broken = args.length > 0;
        new Thread(() -> { int n = A.a; }).start();
        new Thread(() -> { int n = B.b; }).start();
    }
}
