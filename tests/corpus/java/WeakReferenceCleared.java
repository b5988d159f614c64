//! clean
//! found assertion broken
// A weakly referenced object may be gone when it is needed. Right: a strong reference is kept.
import java.lang.ref.WeakReference;

public class WeakReferenceCleared {
    public static void main(String[] args) throws Exception {
        Object kept = new Object();
        WeakReference<Object> reference = new WeakReference<>(args.length > 0 ? new Object() : kept);
        Thread collects = new Thread(System::gc);
        collects.start();
        collects.join();
        assert reference.get() != null;
        assert kept != null;
    }
}
