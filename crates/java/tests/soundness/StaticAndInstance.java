/** A static method and one of an instance synchronize on different monitors. */
public class StaticAndInstance {
    static int n;

    static synchronized void ofClass() {
        n++;
    }

    synchronized void ofInstance() {
        n++;
    }

    public static void main(String[] args) throws Exception {
        StaticAndInstance instance = new StaticAndInstance();
        Thread t = new Thread(instance::ofInstance);
        t.start();
        ofClass();
        t.join();
        assert n == 2;
    }
}
