import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.List;

/** Method handles put together: bindTo, asType, insert, drop, filter, fold, permute, guard, catch, loops, spread, collect. */
public class MethodHandleCombinators {
    static int add(int a, int b) {
        return a + b;
    }

    static String show(Object a, Object b, Object c) {
        return a + "-" + b + "-" + c;
    }

    static boolean isLong(String s) {
        return s.length() > 3;
    }

    static String upper(String s) {
        return s.toUpperCase(java.util.Locale.ROOT);
    }

    static String fails(String s) {
        throw new IllegalStateException("on " + s);
    }

    static String handler(IllegalStateException e, String s) {
        return "handled " + e.getMessage() + "/" + s;
    }

    static boolean below(int v, int limit) {
        return v < limit;
    }

    static int step(int v, int limit) {
        return v * 2 + 1;
    }

    public static void main(String[] args) throws Throwable {
        Lookup l = MethodHandles.lookup();
        Class<?> me = MethodHandleCombinators.class;
        MethodHandle add = l.findStatic(me, "add", MethodType.methodType(int.class, int.class, int.class));
        MethodHandle show = l.findStatic(me, "show", MethodType.genericMethodType(3).changeReturnType(String.class));
        MethodType unary = MethodType.methodType(String.class, String.class);
        MethodHandle upper = l.findStatic(me, "upper", unary);
        MethodHandle concat = l.findVirtual(String.class, "concat", unary);

        System.out.println((String) concat.bindTo("bound ").invokeExact("to"));
        MethodHandle objects = add.asType(MethodType.genericMethodType(2));
        System.out.println(objects.invoke(1, 2) + " " + (long) add.asType(MethodType.methodType(long.class, byte.class, Integer.class)).invokeExact((byte) 3, (Integer) 4));
        System.out.println((int) MethodHandles.insertArguments(add, 0, 40).invokeExact(2));
        System.out.println((String) MethodHandles.insertArguments(show, 1, "x", 9).invoke("w"));
        System.out.println((int) MethodHandles.dropArguments(add, 1, String.class, long.class).invokeExact(1, "dropped", 5L, 2));
        System.out.println((String) MethodHandles.filterArguments(concat, 0, upper, null).invokeExact("first ", "second"));
        System.out.println((String) MethodHandles.filterReturnValue(concat, upper).invokeExact("a", "b"));
        System.out.println((String) MethodHandles.permuteArguments(show, MethodType.genericMethodType(2).changeReturnType(String.class), 1, 0, 1).invoke("p", "q"));
        MethodHandle fold = MethodHandles.foldArguments(MethodHandles.dropArguments(add, 2, int.class).asType(MethodType.methodType(int.class, int.class, int.class, int.class)), add);
        System.out.println((int) fold.invokeExact(10, 5));
        MethodHandle test = l.findStatic(me, "isLong", MethodType.methodType(boolean.class, String.class));
        MethodHandle guard = MethodHandles.guardWithTest(test, upper, MethodHandles.identity(String.class));
        System.out.println((String) guard.invokeExact("long one") + " " + (String) guard.invokeExact("no"));
        MethodHandle caught = MethodHandles.catchException(l.findStatic(me, "fails", unary), IllegalStateException.class,
                l.findStatic(me, "handler", MethodType.methodType(String.class, IllegalStateException.class, String.class)));
        System.out.println((String) caught.invokeExact("arg"));
        System.out.println((String) show.asSpreader(Object[].class, 3).invoke(new Object[] {1, 2, 3}));
        MethodHandle list = l.findStatic(List.class, "of", MethodType.methodType(List.class, Object[].class)).asCollector(Object[].class, 4);
        System.out.println(list.invoke(1, "2", 3.0, '4'));
        MethodType loop = MethodType.methodType(boolean.class, int.class, int.class);
        MethodHandle whileLoop = MethodHandles.whileLoop(MethodHandles.dropArguments(MethodHandles.constant(int.class, 1), 0, int.class),
                l.findStatic(me, "below", loop), l.findStatic(me, "step", loop.changeReturnType(int.class)));
        System.out.println((int) whileLoop.invokeExact(100));
        System.out.println((int) MethodHandles.constant(int.class, 42).invokeExact() + " " + MethodHandles.zero(String.class).invoke());
        int[] array = {1, 2, 3};
        MethodHandles.arrayElementSetter(int[].class).invokeExact(array, 1, 20);
        System.out.println((int) MethodHandles.arrayElementGetter(int[].class).invokeExact(array, 1) + " " + (int) MethodHandles.arrayLength(int[].class).invokeExact(array));
        MethodHandle thrower = MethodHandles.throwException(int.class, ArithmeticException.class);
        try {
            System.out.println((int) thrower.invokeExact(new ArithmeticException("by handle")));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle invoker = MethodHandles.exactInvoker(add.type());
        System.out.println((int) invoker.invokeExact(add, 30, 3));
        System.out.println((int) MethodHandles.explicitCastArguments(add, MethodType.methodType(int.class, double.class, boolean.class)).invokeExact(3.9, true));
    }
}
