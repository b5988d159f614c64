/** Class loaders are told whether assertions are on: that counts for classes that are initialised later. */
public class AssertionStatuses {
    static class Before {
        static boolean on() {
            boolean on = false;
            assert on = true;
            return on;
        }
    }

    static class Off {
        static boolean on() {
            boolean on = false;
            assert on = true;
            return on;
        }

        static class Inner {
            static boolean on() {
                boolean on = false;
                assert on = true;
                return on;
            }
        }
    }

    static class ByDefault {
        static boolean on() {
            boolean on = false;
            assert on = true;
            return on;
        }
    }

    static class ByPackage {
        static boolean on() {
            boolean on = false;
            assert on = true;
            return on;
        }
    }

    static class Cleared {
        static boolean on() {
            boolean on = false;
            assert on = true;
            return on;
        }
    }

    public static void main(String[] args) {
        ClassLoader loader = AssertionStatuses.class.getClassLoader();
        System.out.println("before " + Before.on() + " " + Off.class.desiredAssertionStatus());
        loader.setClassAssertionStatus("AssertionStatuses$Off", false);
        System.out.println("class " + Before.on() + " " + Off.on() + " " + Off.Inner.on());
        System.out.println("asked " + Off.class.desiredAssertionStatus() + " " + ByDefault.class.desiredAssertionStatus());
        loader.setDefaultAssertionStatus(false);
        System.out.println("default " + ByDefault.on());
        loader.setPackageAssertionStatus("a.b", false);
        loader.setPackageAssertionStatus(null, true);
        System.out.println("package " + ByPackage.on());
        loader.clearAssertionStatus();
        System.out.println("cleared " + Cleared.on() + " " + Before.on());
        System.out.println("library " + String.class.desiredAssertionStatus());
    }
}
