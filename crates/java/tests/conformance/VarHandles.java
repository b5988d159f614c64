import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VarHandle.AccessMode;
import java.nio.ByteOrder;
import java.util.Arrays;

/** VarHandles of fields, statics, arrays and byte views: every access mode, every type, and misuse. */
public class VarHandles {
    int i;
    volatile long l;
    String text = "a";
    static double d = 1;
    final int fixed = 3;
    byte b;
    boolean z;
    float f = 2;

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final VarHandle I, L, TEXT, D, FIXED, B, Z, F;
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle STRINGS = MethodHandles.arrayElementVarHandle(String[].class);
    static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    static {
        try {
            I = LOOKUP.findVarHandle(VarHandles.class, "i", int.class);
            L = LOOKUP.findVarHandle(VarHandles.class, "l", long.class);
            TEXT = LOOKUP.findVarHandle(VarHandles.class, "text", String.class);
            D = LOOKUP.findStaticVarHandle(VarHandles.class, "d", double.class);
            FIXED = LOOKUP.findVarHandle(VarHandles.class, "fixed", int.class);
            B = LOOKUP.findVarHandle(VarHandles.class, "b", byte.class);
            Z = LOOKUP.findVarHandle(VarHandles.class, "z", boolean.class);
            F = LOOKUP.findVarHandle(VarHandles.class, "f", float.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " fine");
        } catch (Throwable t) {
            System.out.println(what + " " + t.getClass().getName());
        }
    }

    public static void main(String[] args) {
        VarHandles o = new VarHandles();
        I.set(o, 5);
        System.out.println((int) I.get(o) + " " + (int) I.getAndAdd(o, 3) + " " + (int) I.getVolatile(o) + " " + I.compareAndSet(o, 8, 9)
                + I.compareAndSet(o, 8, 10) + " " + (int) I.compareAndExchange(o, 9, 11) + " " + (int) I.compareAndExchange(o, 9, 12));
        System.out.println((int) I.getAndBitwiseOr(o, 4) + " " + (int) I.getAndBitwiseAnd(o, 6) + " " + (int) I.getAndBitwiseXor(o, 1) + " " + o.i);
        I.setRelease(o, 20);
        I.setOpaque(o, (int) I.getOpaque(o) + (int) I.getAcquire(o));
        boolean weak;
        do {
            weak = I.weakCompareAndSetPlain(o, 40, 41);
        } while (!weak);
        System.out.println(o.i + " " + (int) I.getAndSet(o, -1) + " " + o.i);
        L.setVolatile(o, 1L << 40);
        System.out.println((long) L.getAndAdd(o, 1L) + " " + o.l + " " + (long) L.getAndBitwiseOrAcquire(o, 6L) + " " + o.l);
        System.out.println(TEXT.compareAndSet(o, "a", "b") + " " + (String) TEXT.getAndSet(o, "c") + " " + TEXT.get(o));
        System.out.println((double) D.getAndAdd(2.5) + " " + d + " " + D.compareAndSet(3.5, 0.0) + " " + (double) D.get());
        System.out.println((byte) B.getAndAdd(o, (byte) 100) + " " + (byte) B.getAndAdd(o, (byte) 100) + " " + o.b + " "
                + (boolean) Z.getAndBitwiseXor(o, true) + o.z + " " + (float) F.getAndAddRelease(o, 0.5f) + o.f);
        int[] ints = {1, 2, 3};
        System.out.println((int) INTS.getAndAdd(ints, 1, 40) + Arrays.toString(ints) + INTS.compareAndSet(ints, 2, 3, 7) + ints[2]);
        String[] strings = {"x", "y"};
        System.out.println((String) STRINGS.getAndSet(strings, 0, "z") + Arrays.toString(strings));
        byte[] bytes = new byte[16];
        BIG.set(bytes, 0, 0x0102030405060708L);
        LITTLE.set(bytes, 9, 0x0a0b0c0d);
        System.out.println(Arrays.toString(bytes) + " " + Long.toHexString((long) BIG.get(bytes, 3)) + " " + (int) LITTLE.get(bytes, 1));
        attempt("index", () -> INTS.set(ints, 3, 1));
        attempt("view index", () -> BIG.set(bytes, 9, 1L));
        attempt("final", () -> FIXED.set(o, 4));
        attempt("null", () -> I.set((VarHandles) null, 4));
        attempt("wrong type", () -> I.set(o, "text"));
        attempt("wrong store", () -> STRINGS.set((Object) new Integer[1], 0, "s"));
        attempt("widening", () -> L.set(o, 7));
        attempt("text and", () -> TEXT.getAndAdd(o, "x"));
        System.out.println(I.varType() + " " + INTS.coordinateTypes() + " " + FIXED.isAccessModeSupported(AccessMode.SET) + " "
                + L.accessModeType(AccessMode.COMPARE_AND_SET) + " " + TEXT.isAccessModeSupported(AccessMode.GET_AND_ADD));
        VarHandle.fullFence();
        VarHandle.acquireFence();
        System.out.println(o.l);
    }
}
