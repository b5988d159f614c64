import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;
import java.util.ArrayList;
import java.util.List;

/** Direct method handles: virtual, static, special, constructors, fields, interfaces; invoke, invokeExact, arguments. */
public class MethodHandlesDirect {
    int value = 4;
    static String label = "label";

    MethodHandlesDirect() { }

    MethodHandlesDirect(int value) {
        this.value = value;
    }

    static long sum(int a, long b, double c) {
        return a + b + (long) c;
    }

    private String hidden(String s) {
        return s + value;
    }

    @Override
    public String toString() {
        return "direct " + value;
    }

    static String all(String first, Object... rest) {
        return first + rest.length;
    }

    static void fail(String message) throws Exception {
        throw new Exception(message);
    }

    public static void main(String[] args) throws Throwable {
        Lookup lookup = MethodHandles.lookup();
        MethodHandle sum = lookup.findStatic(MethodHandlesDirect.class, "sum", MethodType.methodType(long.class, int.class, long.class, double.class));
        System.out.println((long) sum.invokeExact(1, 2L, 3.0) + " " + (long) sum.invoke(1, 2, 3f) + " " + sum.invokeWithArguments(4, 5L, 6.5));
        Object boxed = sum.invoke((Integer) 7, (short) 1, 2.0);
        System.out.println(boxed + " " + boxed.getClass() + " " + sum.type());
        try {
            Object o = sum.invokeExact(1, 2, 3.0);
            System.out.println("not reached" + o);
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        System.out.println((int) length.invokeExact("four"));
        MethodHandle size = lookup.findVirtual(List.class, "size", MethodType.methodType(int.class));
        System.out.println((int) size.invoke(new ArrayList<>(List.of(1, 2))) + " " + (int) size.invokeExact((List<?>) List.of()));
        MethodHandle make = lookup.findConstructor(MethodHandlesDirect.class, MethodType.methodType(void.class, int.class));
        MethodHandlesDirect made = (MethodHandlesDirect) make.invokeExact(9);
        System.out.println(made);
        MethodHandle hidden = lookup.findVirtual(MethodHandlesDirect.class, "hidden", MethodType.methodType(String.class, String.class));
        System.out.println((String) hidden.invokeExact(made, "h") + " " + (String) hidden.bindTo(made).invokeExact("b"));
        MethodHandle object = lookup.findSpecial(Object.class, "toString", MethodType.methodType(String.class), MethodHandlesDirect.class);
        System.out.println(((String) object.invokeExact(made)).startsWith("MethodHandlesDirect@"));
        MethodHandle get = lookup.findGetter(MethodHandlesDirect.class, "value", int.class);
        MethodHandle set = lookup.findSetter(MethodHandlesDirect.class, "value", int.class);
        set.invokeExact(made, 77);
        System.out.println((int) get.invokeExact(made) + " " + (String) lookup.findStaticGetter(MethodHandlesDirect.class, "label", String.class).invokeExact());
        lookup.findStaticSetter(MethodHandlesDirect.class, "label", String.class).invokeExact("changed");
        System.out.println(label);
        MethodHandle all = lookup.findStatic(MethodHandlesDirect.class, "all", MethodType.methodType(String.class, String.class, Object[].class));
        System.out.println(all.isVarargsCollector() + " " + all.invoke("v") + " " + all.invoke("v", 1, 2, 3) + " "
                + (String) all.invokeExact("v", new Object[2]) + " " + all.invokeWithArguments("w", "x"));
        try {
            lookup.findStatic(MethodHandlesDirect.class, "fail", MethodType.methodType(void.class, String.class)).invokeExact("thrown");
        } catch (Exception e) {
            System.out.println(e.getMessage() + " " + e.getClass());
        }
        String[] wrong = {"nothing", "sum"};
        for (String name : wrong) {
            try {
                lookup.findStatic(MethodHandlesDirect.class, name, MethodType.methodType(void.class));
            } catch (NoSuchMethodException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            MethodHandles.publicLookup().findVirtual(MethodHandlesDirect.class, "hidden", MethodType.methodType(String.class, String.class));
        } catch (IllegalAccessException e) {
            System.out.println("IllegalAccessException");
        }
        MethodHandle reflected = lookup.unreflect(String.class.getMethod("concat", String.class));
        System.out.println((String) reflected.invokeExact("con", "cat"));
        try {
            int n = (int) length.invokeExact((String) null);
            System.out.println(n);
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        MethodType type = MethodType.fromMethodDescriptorString("(IJLjava/lang/String;[[D)V", null);
        System.out.println(type + " " + type.parameterCount() + " " + type.toMethodDescriptorString() + " " + type.erase().wrap().generic()
                + " " + type.equals(MethodType.methodType(void.class, int.class, long.class, String.class, double[][].class)));
    }
}
