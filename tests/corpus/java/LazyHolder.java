//! clean
//! found assertion broken
// A singleton by the class that holds it; broken: by a plain check.
public class LazyHolder {
    static int made;
    static final class Holder { static final Object INSTANCE = make(); }
    static Object instance;
    static Object make() { made++; return new Object(); }
    static Object plain() { if (instance == null) instance = make(); return instance; }
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Object[] seen = new Object[2];
        Thread other = new Thread(() -> seen[0] = broken ? plain() : Holder.INSTANCE);
        other.start();
        seen[1] = broken ? plain() : Holder.INSTANCE;
        other.join();
        assert seen[0] == seen[1];
    }
}
