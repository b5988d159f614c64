import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** An object becomes shared because a field is set through a handle. */
public class PublishedByVarHandle {
    static int[] shared;
    static boolean added;

    public static void main(String[] args) throws Exception {
        VarHandle handle =
            MethodHandles.lookup().findStaticVarHandle(PublishedByVarHandle.class, "shared", int[].class);
        int[] cell = new int[1];
        Thread t = new Thread(() -> {
            int[] read = shared;
            if (read != null) {
                read[0]++;
                added = true;
            }
        });
        t.start();
        handle.setRelease(cell);
        cell[0]++;
        t.join();
        assert cell[0] == (added ? 2 : 1);
    }
}
