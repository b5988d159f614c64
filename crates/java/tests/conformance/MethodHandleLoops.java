import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Handles that loop, switch, catch and clean up, and what they throw when they are put together wrongly. */
public class MethodHandleLoops {
    static int plus(int sum, int i, int n) {
        return sum + i * n;
    }

    static String append(String text, String element, List<String> all) {
        return text + element + all.size();
    }

    static long twice(long v, String s) {
        return v * 2 + s.length();
    }

    static boolean small(long v, String s) {
        return v < 1000;
    }

    static double ends(double v) {
        return v / 2;
    }

    static int divide(int a, int b) {
        return a / b;
    }

    static int clean(Throwable t, int result, int a) {
        System.out.println("clean " + (t == null ? "null" : t.getClass().getSimpleName()) + " " + result + " " + a);
        return result + 1;
    }

    static void note(Throwable t) {
        System.out.println("note " + t);
    }

    static void fails() throws java.io.IOException {
        throw new java.io.IOException("failed");
    }

    static int onArithmetic(ArithmeticException e, int a, int b) {
        return -a;
    }

    static String which(int i, String s) {
        return s + i;
    }

    static int start(int limit) {
        return 0;
    }

    static int stepI(int i, int acc, int limit) {
        return i + 1;
    }

    static int stepAcc(int i, int acc, int limit) {
        return acc + i;
    }

    static boolean goes(int i, int acc, int limit) {
        return i < limit;
    }

    static String done(int i, int acc, int limit) {
        return i + ":" + acc + ":" + limit;
    }

    static Lookup l = MethodHandles.lookup();

    static MethodHandle find(String name) throws Exception {
        for (var m : MethodHandleLoops.class.getDeclaredMethods()) {
            if (m.getName().equals(name)) {
                return l.unreflect(m);
            }
        }
        throw new NoSuchMethodException(name);
    }

    interface Action {
        Object run() throws Throwable;
    }

    static void attempt(String what, Action action) {
        try {
            System.out.println(what + ": " + action.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName() + ": " + t.getMessage());
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle counted = MethodHandles.countedLoop(
                MethodHandles.identity(int.class), MethodHandles.dropArguments(MethodHandles.constant(int.class, 100), 0, int.class), find("plus"));
        System.out.println((int) counted.invokeExact(4) + " " + counted.type());
        MethodHandle range = MethodHandles.countedLoop(MethodHandles.constant(int.class, 2), MethodHandles.constant(int.class, 5),
                null, MethodHandles.dropReturn(find("ends")).asType(MethodType.methodType(void.class, int.class)));
        range.invoke();
        MethodHandle iterated = MethodHandles.iteratedLoop(null, MethodHandles.dropArguments(MethodHandles.constant(String.class, ">"), 0, List.class), find("append"));
        System.out.println((String) iterated.invoke(List.of("a", "b")) + " " + iterated.type());
        MethodHandle twice = MethodHandles.doWhileLoop(MethodHandles.dropArguments(MethodHandles.constant(long.class, 1L), 0, String.class), find("twice"), find("small"));
        System.out.println((long) twice.invokeExact("xyz"));
        MethodHandle loop = MethodHandles.loop(
                new MethodHandle[] {find("start"), find("stepI")},
                new MethodHandle[] {find("start"), find("stepAcc"), find("goes"), find("done")});
        System.out.println((String) loop.invokeExact(5) + " " + loop.type());
        MethodHandle tried = MethodHandles.tryFinally(find("divide"), find("clean"));
        System.out.println((int) tried.invokeExact(7, 2));
        attempt("finally", () -> (int) tried.invokeExact(7, 0));
        attempt("void finally", () -> {
            MethodHandles.tryFinally(find("fails"), find("note")).invokeExact();
            return "";
        });
        MethodHandle caught = MethodHandles.catchException(find("divide"), ArithmeticException.class, find("onArithmetic"));
        System.out.println((int) caught.invokeExact(9, 3) + " " + (int) caught.invokeExact(9, 0));
        MethodHandle which = find("which");
        MethodHandle table = MethodHandles.tableSwitch(which,
                MethodHandles.dropArguments(MethodHandles.constant(String.class, "zero"), 0, int.class, String.class),
                MethodHandles.dropArguments(MethodHandles.constant(String.class, "one"), 0, int.class, String.class));
        System.out.println((String) table.invokeExact(0, "s") + (String) table.invokeExact(1, "s") + (String) table.invokeExact(2, "s") + (String) table.invokeExact(-1, "s"));
        MethodHandle folded = MethodHandles.foldArguments(find("which").asType(MethodType.methodType(String.class, int.class, String.class)),
                l.findVirtual(String.class, "length", MethodType.methodType(int.class)));
        System.out.println((String) folded.invokeExact("four"));
        MethodHandle collected = MethodHandles.collectArguments(find("plus"), 1, find("divide"));
        System.out.println((int) collected.invokeExact(1, 10, 3, 2) + " " + collected.type());
        MethodHandle filtered = MethodHandles.filterArguments(find("divide"), 0,
                l.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class)),
                l.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class)));
        System.out.println((int) filtered.invokeExact("84", "2"));
        attempt("fold", () -> MethodHandles.foldArguments(find("which"), find("ends")));
        attempt("guard", () -> MethodHandles.guardWithTest(find("ends"), find("which"), find("which")));
        attempt("insert", () -> MethodHandles.insertArguments(find("divide"), 1, 1, 2));
        attempt("insert text", () -> MethodHandles.insertArguments(find("divide"), 0, "x"));
        attempt("drop", () -> MethodHandles.dropArguments(find("divide"), 5, int.class));
        attempt("permute", () -> MethodHandles.permuteArguments(find("divide"), MethodType.methodType(int.class, int.class), 0, 1));
        attempt("spread", () -> find("divide").asSpreader(Object[].class, 2).invoke(new Object[] {1}));
        attempt("spread null", () -> find("divide").asSpreader(Object[].class, 2).invoke((Object[]) null));
        attempt("spread ints", () -> (int) find("divide").asSpreader(int[].class, 2).invoke(new int[] {12, 4}));
        attempt("cast", () -> find("which").invoke("no int", "s"));
        attempt("as type", () -> find("which").asType(MethodType.methodType(int.class, int.class)));
        attempt("wrong exact", () -> (String) find("which").invokeExact("s", 1));
        attempt("null", () -> find("divide").invokeWithArguments((Object) null, 1));
        attempt("arguments", () -> find("divide").invokeWithArguments(List.of(8, 2)));
        attempt("too few", () -> find("divide").invokeWithArguments(8));
    }
}
