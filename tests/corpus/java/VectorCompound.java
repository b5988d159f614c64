//! clean
//! found exception broken
// Each method of a Vector is atomic, two of them in a row are not.
import java.util.Vector;

public class VectorCompound {
    public static void main(String[] args) throws Exception {
        Vector<Integer> vector = new Vector<>();
        vector.add(1);
        Runnable takeLast = () -> {
            if (args.length > 0) {
                if (!vector.isEmpty()) vector.remove(vector.size() - 1);
            } else {
                synchronized (vector) {
                    if (!vector.isEmpty()) vector.remove(vector.size() - 1);
                }
            }
        };
        Thread other = new Thread(takeLast);
        other.start();
        takeLast.run();
        other.join();
    }
}
