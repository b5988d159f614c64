/** The constructor of the superclass lets the object escape: the final field of the subclass is not set yet. */
public class EscapingSuper {
    static class Base {
        static Base escaped;

        Base() {
            escaped = this;
        }

        int value() {
            return 0;
        }
    }

    static class Derived extends Base {
        final int value;

        Derived() {
            value = 1;
        }

        @Override
        int value() {
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(Derived::new);
        t.start();
        Base read = Base.escaped;
        int seen = read == null ? 1 : read.value();
        t.join();
        assert seen == 1;
    }
}
