// args: alpha "" last
// props: -Dsuite.colour=green -Dsuite.empty=

/** System properties of the program and of the platform, arguments, line separators, arraycopy and other parts of System. */
public class SystemProperties {
    public static void main(String[] args) {
        System.out.println(args.length + " " + args[0] + " [" + args[1] + "] " + args[2]);
        System.out.println(System.getProperty("suite.colour") + " [" + System.getProperty("suite.empty") + "] " + System.getProperty("suite.absent") + " " + System.getProperty("suite.absent", "default"));
        for (String key : new String[] {"file.separator", "path.separator", "java.version", "java.specification.version", "java.class.version", "java.vm.specification.version", "java.specification.name", "os.name"}) {
            System.out.println(key + " = " + System.getProperty(key));
        }
        System.out.println(System.getProperty("line.separator").length() + " " + System.lineSeparator().equals("\n") + " " + (System.getProperty("user.dir") != null) + " " + (System.getProperty("java.home") != null) + " " + (System.getProperty("java.io.tmpdir") != null));
        System.out.println(System.setProperty("suite.colour", "red") + " " + System.getProperty("suite.colour") + " " + System.clearProperty("suite.colour") + " " + System.getProperty("suite.colour"));
        System.setProperty("suite.number", "0x10");
        System.out.println(Integer.getInteger("suite.number") + " " + Long.getLong("suite.none", 5) + " " + Boolean.getBoolean("suite.number"));
        for (String bad : new String[] {"", null}) {
            try {
                System.getProperty(bad);
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        System.out.println(Runtime.version().feature() + " " + (Runtime.getRuntime().availableProcessors() > 0) + " " + (Runtime.getRuntime().totalMemory() > 0) + " " + (Runtime.getRuntime().maxMemory() >= Runtime.getRuntime().totalMemory()));
        System.out.println((System.getenv("SUITE_SURELY_UNSET") == null) + " " + (System.getenv() != null) + " " + (System.getSecurityManager() == null) + " " + (System.console() == null));
        long a = System.nanoTime(), b = System.nanoTime();
        System.out.println((b >= a) + " " + (System.currentTimeMillis() > 1_600_000_000_000L));
        int[] source = {1, 2, 3, 4, 5};
        System.arraycopy(source, 0, source, 1, 4);
        System.out.println(java.util.Arrays.toString(source));
        Object[] objects = {1, "text", 3};
        Integer[] integers = new Integer[3];
        Object[][] copies = {{source, 3, source, 0, 5}, {objects, 0, integers, 0, 3}, {source, 0, new long[5], 0, 1}, {"not an array", 0, source, 0, 1}, {source, -1, source, 0, 1}, {null, 0, source, 0, 1}};
        for (Object[] c : copies) {
            try {
                System.arraycopy(c[0], (int) c[1], c[2], (int) c[3], (int) c[4]);
                System.out.println("copied");
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
        System.out.println(java.util.Arrays.toString(integers));
        System.gc();
        Runtime.getRuntime().gc();
        System.err.println("standard error");
    }
}
