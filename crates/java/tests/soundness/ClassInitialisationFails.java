/** The thread that initialises the class fails with one error, the other one with another. */
public class ClassInitialisationFails {
    static class Bad {
        static int value = 1 / zero();

        static int zero() {
            return 0;
        }
    }

    static String use() {
        try {
            return "" + Bad.value;
        } catch (ExceptionInInitializerError e) {
            return "first";
        } catch (NoClassDefFoundError e) {
            return "second";
        }
    }

    static String ours;
    static String theirs;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> theirs = use());
        t.start();
        ours = use();
        t.join();
        assert !ours.equals(theirs);
    }
}
