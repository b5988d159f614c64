import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VarHandle.AccessMode;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;

/** Handles of every kind of value, explicit casts, revealed handles, call sites, handles of variables, lookups that fail. */
public class MethodHandleKinds {
    private int secret = 3;
    static final String FIXED = "fixed";
    protected long guarded = 4;
    volatile Object any = "any";

    static class Other {
        private static int hidden(byte b, short s, char c, boolean z, long j, float f, double d, int i) {
            return b + s + c + (z ? 1 : 0) + (int) j + (int) f + (int) d + i;
        }

        private final int kept;

        private Other(int kept) {
            this.kept = kept;
        }
    }

    interface Greets {
        default String greet(String who) {
            return "hello " + who;
        }
    }

    static class Loud implements Greets {
        public String greet(String who) {
            return "HELLO " + who;
        }

        MethodHandle quiet() throws Exception {
            return MethodHandles.lookup().findSpecial(Greets.class, "greet", MethodType.methodType(String.class, String.class), Loud.class).bindTo(this);
        }
    }

    interface Action {
        Object run() throws Throwable;
    }

    static void attempt(String what, Action action) {
        try {
            System.out.println(what + ": " + action.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@"));
        }
    }

    static String text(Object o) {
        return "<" + o + ">";
    }

    static int sum(int... values) {
        return Arrays.stream(values).sum();
    }

    static void nothing() { }

    public static void main(String[] args) throws Throwable {
        Lookup l = MethodHandles.lookup();
        MethodType kinds = MethodType.methodType(int.class, byte.class, short.class, char.class, boolean.class, long.class, float.class, double.class, int.class);
        MethodHandle hidden = l.findStatic(Other.class, "hidden", kinds);
        System.out.println((int) hidden.invokeExact((byte) 1, (short) 2, 'c', true, 5L, 6f, 7d, 8) + " " + hidden.invokeWithArguments((byte) 1, (short) 2, 'c', true, 5L, 6f, 7d, 8));
        MethodHandle casts = MethodHandles.explicitCastArguments(hidden, MethodType.methodType(byte.class, double.class, long.class, int.class, int.class, boolean.class, char.class, Object.class, Object.class));
        System.out.println((byte) casts.invokeExact(300.7, 70000L, 65, 2, true, 'A', (Object) 3.9f, (Object) null));
        MethodHandle objects = hidden.asType(kinds.generic());
        System.out.println(objects.invoke((byte) 1, (short) 2, 'c', false, 5L, 6f, 7d, 8) + " " + objects.invoke((byte) 1, (byte) 2, 'c', false, 5, 6L, 7f, 'd'));
        attempt("narrow", () -> objects.invoke(1, (short) 2, 'c', false, 5L, 6f, 7d, 8));
        attempt("null", () -> objects.invoke(null, (short) 2, 'c', false, 5L, 6f, 7d, 8));
        attempt("void", () -> l.findStatic(MethodHandleKinds.class, "nothing", MethodType.methodType(void.class)).invoke());
        MethodHandle make = l.findConstructor(Other.class, MethodType.methodType(void.class, int.class));
        MethodHandle kept = l.findGetter(Other.class, "kept", int.class);
        System.out.println((int) kept.invoke(make.invoke(12)) + " " + make + " " + kept.type());
        attempt("final setter", () -> l.findSetter(Other.class, "kept", int.class));
        attempt("no field", () -> l.findGetter(Other.class, "none", int.class));
        attempt("static field", () -> l.findStaticGetter(Other.class, "kept", int.class));
        attempt("wrong field", () -> l.findGetter(Other.class, "kept", long.class));
        attempt("no class", () -> l.findConstructor(Other.class, MethodType.methodType(void.class, String.class)));
        attempt("virtual", () -> l.findVirtual(MethodHandleKinds.class, "text", MethodType.methodType(String.class, Object.class)));
        attempt("public", () -> MethodHandles.publicLookup().findVirtual(String.class, "isEmpty", MethodType.methodType(boolean.class)).invoke(""));
        attempt("private in", () -> MethodHandles.privateLookupIn(Other.class, l).findGetter(Other.class, "kept", int.class).type());
        System.out.println(l + " " + l.in(String.class) + " " + MethodHandles.publicLookup() + " " + l.lookupModes());
        Loud loud = new Loud();
        System.out.println((String) l.findVirtual(Greets.class, "greet", MethodType.methodType(String.class, String.class)).invoke(loud, "a") + " " + (String) loud.quiet().invokeExact("b"));
        MethodHandle clone = MethodHandles.publicLookup().findVirtual(int[].class, "clone", MethodType.methodType(Object.class));
        System.out.println(Arrays.toString((int[]) clone.invoke(new int[] {1, 2})));
        MethodHandle sum = l.findStatic(MethodHandleKinds.class, "sum", MethodType.methodType(int.class, int[].class));
        System.out.println((int) sum.invoke(1, 2, 3) + " " + (int) sum.invoke() + " " + (int) sum.invoke(new int[] {4}) + " " + sum.asFixedArity().isVarargsCollector() + " " + sum.withVarargs(false).type());
        MethodHandleInfo info = l.revealDirect(hidden);
        System.out.println(info + " " + info.getName() + " " + MethodHandleInfo.referenceKindToString(info.getReferenceKind()) + " " + info.reflectAs(Method.class, l).getName());
        System.out.println(l.revealDirect(make) + " " + l.revealDirect(kept) + " " + l.revealDirect(clone));
        attempt("reveal", () -> l.revealDirect(hidden.asType(kinds.generic())));
        MutableCallSite site = new MutableCallSite(MethodHandles.constant(String.class, "before"));
        MethodHandle dynamic = site.dynamicInvoker();
        System.out.print((String) dynamic.invokeExact() + " ");
        site.setTarget(MethodHandles.constant(String.class, "after"));
        System.out.println((String) dynamic.invokeExact());
        CallSite constant = new ConstantCallSite(MethodHandles.constant(int.class, 5));
        System.out.println((int) constant.dynamicInvoker().invokeExact() + " " + constant.type());
        MethodHandle length = MethodHandles.arrayLength(String[].class);
        MethodHandle array = MethodHandles.arrayConstructor(String[].class);
        System.out.println((int) length.invokeExact((String[]) array.invokeExact(3)));
        attempt("negative", () -> array.invoke(-1));
        MethodHandle get = MethodHandles.arrayElementGetter(double[].class);
        MethodHandle set = MethodHandles.arrayElementSetter(Object[].class);
        System.out.println((double) get.invokeExact(new double[] {1, 2.5}, 1));
        attempt("bounds", () -> get.invoke(new double[1], 1));
        attempt("store", () -> {
            set.invoke((Object[]) new String[1], 0, (Object) 1);
            return "";
        });
        VarHandle secret = l.findVarHandle(MethodHandleKinds.class, "secret", int.class);
        MethodHandleKinds me = new MethodHandleKinds();
        MethodHandle add = secret.toMethodHandle(AccessMode.GET_AND_ADD);
        System.out.println((int) add.invokeExact(me, 4) + " " + me.secret + " " + add.type());
        MethodHandle invoker = MethodHandles.varHandleInvoker(AccessMode.COMPARE_AND_SET, MethodType.methodType(boolean.class, MethodHandleKinds.class, int.class, int.class));
        System.out.println((boolean) invoker.invokeExact(secret, me, 7, 8) + " " + me.secret + " " + invoker.type());
        MethodHandle exact = MethodHandles.varHandleExactInvoker(AccessMode.GET, MethodType.methodType(long.class, MethodHandleKinds.class));
        attempt("exact", () -> (long) exact.invokeExact(secret, me));
        System.out.println((long) secret.get(me) + " " + secret.get(me) + " " + (Integer) secret.getVolatile(me));
        secret.set(me, (Integer) 10);
        secret.set((Object) me, (byte) 11);
        attempt("var cast", () -> secret.get((Object) "text"));
        attempt("var type", () -> (String) secret.get(me));
        attempt("var count", () -> secret.get(me, 1));
        attempt("exact behavior", () -> (long) secret.withInvokeExactBehavior().get(me));
        System.out.println(secret + " " + secret.hasInvokeExactBehavior() + " " + me.secret);
        VarHandle any = l.findVarHandle(MethodHandleKinds.class, "any", Object.class);
        System.out.println((String) any.getAndSet(me, "other") + any.compareAndSet(me, "other", null) + me.any);
        attempt("result cast", () -> (String) any.getAndSet(me, 5) + (String) any.get(me));
        VarHandle fixed = l.findStaticVarHandle(MethodHandleKinds.class, "FIXED", String.class);
        attempt("fixed", () -> (String) fixed.get());
        attempt("set fixed", () -> {
            fixed.set("x");
            return "";
        });
        VarHandle view = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        ByteBuffer buffer = ByteBuffer.allocate(16);
        view.set(buffer, 4, 0x01020304);
        System.out.println(Arrays.toString(buffer.array()) + (int) view.getVolatile(buffer, 4));
        attempt("view bounds", () -> (int) view.get(buffer, 13));
        VarHandle reflected = l.unreflectVarHandle(MethodHandleKinds.class.getDeclaredField("guarded"));
        System.out.println((long) reflected.getAndAdd(me, 5) + " " + me.guarded + " " + reflected.coordinateTypes());
        @SuppressWarnings("unchecked")
        Comparator<String> comparator = MethodHandleProxies.asInterfaceInstance(Comparator.class,
                l.findVirtual(String.class, "compareTo", MethodType.methodType(int.class, String.class)));
        System.out.println(comparator.compare("a", "b"));
        MethodHandle spread = MethodHandles.spreadInvoker(MethodType.methodType(int.class, int.class, int.class), 1);
        System.out.println((int) spread.invoke(l.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class)), 3, new Object[] {9}));
        System.out.println(MethodHandles.empty(MethodType.methodType(long.class, String.class)).invoke("x") + " " + MethodHandles.zero(char.class).type());
        MethodHandle text = l.findStatic(MethodHandleKinds.class, "text", MethodType.methodType(String.class, Object.class));
        System.out.println((String) MethodHandles.filterReturnValue(text, text.asType(MethodType.methodType(Object.class, String.class))).invoke(1) + MethodHandles.dropReturn(text).type());
        System.out.println((String) MethodHandles.identity(Object.class).asType(MethodType.methodType(String.class, CharSequence.class)).invokeExact((CharSequence) "seq"));
        attempt("class cast", () -> (String) MethodHandles.identity(Object.class).asType(MethodType.methodType(String.class, Object.class)).invokeExact((Object) 1));
        attempt("own class cast", () -> (Loud) MethodHandles.identity(Object.class).asType(MethodType.methodType(Loud.class, Object.class)).invokeExact((Object) 1));
        try {
            l.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class)).invoke("x");
        } catch (NumberFormatException e) {
            for (StackTraceElement element : e.getStackTrace()) {
                System.out.println(element.getClassName() + "." + element.getMethodName());
            }
        }
    }
}
