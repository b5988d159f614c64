/** What finally blocks return, replace and run, nested and in loops, and try-with-resources. */
public class NestedFinally {
    static StringBuilder log = new StringBuilder();

    @SuppressWarnings("finally")
    static int overrides() {
        try {
            return 1;
        } finally {
            return 2;
        }
    }

    static int keepsValue() {
        int n = 1;
        try {
            return n;
        } finally {
            n = 5;
            log.append("n=").append(n).append(' ');
        }
    }

    @SuppressWarnings("finally")
    static String swallows() {
        try {
            throw new IllegalStateException("lost");
        } finally {
            return "swallowed";
        }
    }

    static void replaces() throws Exception {
        try {
            throw new Exception("first");
        } finally {
            Object o = null;
            o.hashCode();
        }
    }

    static int nested(int n) {
        try {
            try {
                if (n == 0) throw new RuntimeException("zero");
                if (n == 1) return 10;
                log.append("body ");
            } catch (RuntimeException e) {
                log.append("caught ").append(e.getMessage()).append(' ');
                if (n == 0) throw new IllegalArgumentException("again", e);
            } finally {
                log.append("inner ");
                if (n == 2) throw new UnsupportedOperationException("inner");
            }
        } catch (UnsupportedOperationException e) {
            return 20;
        } finally {
            log.append("outer ");
        }
        return 30;
    }

    static String loops() {
        StringBuilder s = new StringBuilder();
        outer:
        for (int i = 0; i < 5; i++) {
            for (int j = 0; ; j++) {
                try {
                    if (j == 1 && i == 1) continue outer;
                    if (j == 2) break;
                    if (i == 3) break outer;
                    s.append(i).append(j).append(' ');
                } finally {
                    s.append('f');
                }
            }
            s.append('|');
        }
        return s.toString();
    }

    record Resource(String name, boolean failsOnClose) implements AutoCloseable {
        public void close() {
            log.append("close ").append(name).append(' ');
            if (failsOnClose) throw new IllegalStateException("close " + name);
        }
    }

    static void resources(boolean fail) {
        try (Resource a = new Resource("a", true); Resource none = null; Resource b = new Resource("b", true)) {
            log.append(a.name + b.name + none + " ");
            if (fail) throw new RuntimeException("body");
        } catch (RuntimeException e) {
            log.append(e.getMessage());
            for (Throwable t : e.getSuppressed()) log.append(" +").append(t.getMessage());
        } finally {
            log.append(" done");
        }
    }

    public static void main(String[] args) {
        System.out.println(overrides() + " " + keepsValue() + " " + swallows() + " " + loops());
        try {
            replaces();
        } catch (Exception e) {
            System.out.println(e.getClass() + " " + e.getCause());
        }
        for (int n = 0; n < 4; n++) {
            log.setLength(0);
            try {
                log.append(nested(n));
            } catch (IllegalArgumentException e) {
                log.append(e.getMessage()).append(" <- ").append(e.getCause().getMessage());
            }
            System.out.println(log);
        }
        for (boolean fail : new boolean[] {false, true}) {
            log.setLength(0);
            resources(fail);
            System.out.println(log);
        }
    }
}
