//! unsupported
// A native that is not modelled, in a static initialiser that runs in another thread than main.
import java.net.InetAddress;

public class NetworkInitialiser {
    static class Holder {
        static final InetAddress address;
        static {
            try { address = new java.net.Socket("localhost", 1).getInetAddress(); }
            catch (java.io.IOException e) { throw new ExceptionInInitializerError(e); }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(Holder.address)).start();
    }
}
