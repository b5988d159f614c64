import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** sun.misc.Unsafe by reflection: fields, arrays, statics, compare-and-swap, allocation, memory, park. */
@SuppressWarnings("deprecation")
public class UnsafeAccess {
    int i = 1;
    long l = 2;
    volatile Object ref = "start";
    boolean z;
    double d = 1.5;
    byte b;
    static int shared = 10;

    UnsafeAccess() {
        System.out.println("constructor");
    }

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe u = (Unsafe) f.get(null);
        UnsafeAccess o = new UnsafeAccess();
        long i = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("i"));
        long l = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("l"));
        long ref = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("ref"));
        long z = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("z"));
        long d = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("d"));
        long b = u.objectFieldOffset(UnsafeAccess.class.getDeclaredField("b"));
        u.putInt(o, i, 5);
        System.out.println(o.i + " " + u.getInt(o, i) + " " + u.compareAndSwapInt(o, i, 5, 6) + u.compareAndSwapInt(o, i, 5, 7) + " " + o.i);
        System.out.println(u.getAndAddInt(o, i, 10) + " " + u.getAndSetInt(o, i, 3) + " " + o.i);
        u.putLongVolatile(o, l, 1L << 50);
        System.out.println(u.compareAndSwapLong(o, l, 1L << 50, -1) + " " + o.l + " " + u.getAndAddLong(o, l, 2) + " " + u.getLongVolatile(o, l));
        System.out.println(u.compareAndSwapObject(o, ref, "start", "next") + " " + o.ref + " " + u.getAndSetObject(o, ref, "last") + " " + u.getObjectVolatile(o, ref));
        u.putBoolean(o, z, true);
        u.putDouble(o, d, -0.25);
        u.putByte(o, b, (byte) -7);
        System.out.println(o.z + " " + u.getDouble(o, d) + " " + u.getByte(o, b));
        Field s = UnsafeAccess.class.getDeclaredField("shared");
        u.putIntVolatile(u.staticFieldBase(s), u.staticFieldOffset(s), 77);
        System.out.println(shared);
        int[] ints = {1, 2, 3};
        long base = u.arrayBaseOffset(int[].class);
        long scale = u.arrayIndexScale(int[].class);
        u.putInt(ints, base + scale * 2, 30);
        System.out.println(ints[2] + " " + u.getInt(ints, base + scale) + " " + scale + " " + u.arrayIndexScale(long[].class)
                + u.arrayIndexScale(byte[].class) + u.arrayIndexScale(char[].class));
        String[] strings = {"a", "b"};
        long sb = u.arrayBaseOffset(String[].class);
        u.putOrderedObject(strings, sb + u.arrayIndexScale(String[].class), "c");
        System.out.println(strings[1] + u.getObject(strings, sb));
        UnsafeAccess raw = (UnsafeAccess) u.allocateInstance(UnsafeAccess.class);
        System.out.println(raw.i + " " + raw.l + " " + raw.ref + " " + raw.d);
        long memory = u.allocateMemory(32);
        u.setMemory(memory, 32, (byte) 1);
        u.putLong(memory + 8, 0x1122334455667788L);
        System.out.println(u.getInt(memory) + " " + Long.toHexString(u.getLong(memory + 8)) + " " + u.getByte(memory + 8) + " " + u.getShort(memory + 16));
        u.freeMemory(memory);
        u.unpark(Thread.currentThread());
        u.park(false, 0);
        System.out.println("parked and back");
        try {
            u.throwException(new java.io.IOException("unchecked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        u.fullFence();
        u.loadFence();
        u.storeFence();
    }
}
