import java.lang.reflect.*;
import java.util.*;

/** Reflection: members, modifiers, invocation, construction, fields of every type, wrapped exceptions, access checks. */
public class ReflectionMembers {
    public static class Target implements Comparable<Target> {
        public int number = 1;
        private String hidden = "h";
        protected static final double RATE = 2.5;
        public volatile transient long flags;
        static byte b = 3;
        boolean[] array;

        public Target() { }

        Target(int number, String... rest) throws java.io.IOException {
            this.number = number + rest.length;
        }

        private Target(boolean fail) {
            throw new IllegalStateException("constructor");
        }

        public String join(String a, int n) {
            return a + n + hidden;
        }

        private static long secret(long x, double y) {
            return x * (long) y;
        }

        public void fails() throws Exception {
            throw new java.io.IOException("inside");
        }

        protected synchronized final int sum(int... values) {
            return Arrays.stream(values).sum();
        }

        @Override
        public int compareTo(Target o) {
            return 0;
        }
    }

    interface Body {
        Object run() throws Exception;
    }

    static void attempt(String what, Body body) {
        try {
            System.out.println(what + ": " + body.run());
        } catch (InvocationTargetException e) {
            System.out.println(what + ": wrapped " + e.getCause() + " " + e.getMessage());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Target.class;
        List<String> lines = new ArrayList<>();
        for (Method m : c.getDeclaredMethods()) lines.add(m + (m.isBridge() ? " bridge" : "") + (m.isVarArgs() ? " varargs" : ""));
        for (Field f : c.getDeclaredFields()) lines.add(f.toString());
        for (Constructor<?> k : c.getDeclaredConstructors()) lines.add(k + " " + k.getParameterCount());
        Collections.sort(lines);
        lines.forEach(System.out::println);
        Target t = new Target();
        attempt("invoke", () -> c.getMethod("join", String.class, int.class).invoke(t, "a", 5));
        Method secret = c.getDeclaredMethod("secret", long.class, double.class);
        secret.setAccessible(true);
        attempt("widening", () -> secret.invoke(null, 6, 7f));
        attempt("throws", () -> c.getMethod("fails").invoke(t));
        attempt("varargs", () -> c.getDeclaredMethod("sum", int[].class).invoke(t, new int[] {1, 2, 3}));
        attempt("wrong arguments", () -> c.getMethod("join", String.class, int.class).invoke(t, 1, 2));
        attempt("too few", () -> c.getMethod("join", String.class, int.class).invoke(t, "a"));
        attempt("wrong receiver", () -> c.getMethod("join", String.class, int.class).invoke("x", "a", 1));
        attempt("null receiver", () -> c.getMethod("join", String.class, int.class).invoke(null, "a", 1));
        attempt("private of another", () -> String.class.getDeclaredField("value").get("x") != null);
        attempt("new", () -> ((Target) c.getDeclaredConstructor().newInstance()).number);
        attempt("new with", () -> ((Target) c.getDeclaredConstructor(int.class, String[].class).newInstance(4, new String[] {"x", "y"})).number);
        attempt("new fails", () -> c.getDeclaredConstructor(boolean.class).newInstance(true));
        attempt("abstract", () -> AbstractList.class.getDeclaredConstructors()[0].getModifiers());
        Field number = c.getField("number"), hidden = c.getDeclaredField("hidden"), rate = c.getDeclaredField("RATE");
        number.setInt(t, 9);
        hidden.setAccessible(true);
        hidden.set(t, "changed");
        System.out.println(t.number + " " + t.hidden + " " + number.get(t) + " " + number.getLong(t) + " " + rate.getDouble(null) + " " + c.getDeclaredField("b").getInt(null));
        attempt("final", () -> {
            rate.set(null, 1.0);
            return "set";
        });
        attempt("wrong type", () -> {
            number.set(t, "text");
            return "set";
        });
        attempt("narrowing", () -> c.getDeclaredField("b").getByte(null) + number.getShort(t));
        attempt("primitive null", () -> {
            number.set(t, null);
            return "set";
        });
        System.out.println(Modifier.toString(c.getModifiers()) + " | " + Modifier.toString(c.getDeclaredField("flags").getModifiers()) + " | " + Modifier.toString(c.getDeclaredMethod("sum", int[].class).getModifiers()));
        Constructor<?> varargs = c.getDeclaredConstructor(int.class, String[].class);
        System.out.println(Arrays.toString(varargs.getExceptionTypes()) + " " + Arrays.toString(varargs.getParameterTypes()) + " " + varargs.toGenericString());
        System.out.println(c.getSimpleName() + " " + c.getTypeName() + " " + c.getPackageName().isEmpty() + " " + c.getEnclosingClass() + " " + c.isMemberClass() + " " + Arrays.toString(c.getInterfaces()) + " " + int[][].class.getName() + " " + int[][].class.getCanonicalName()
                + " " + int.class.isPrimitive() + void.class + " " + Integer[].class.getComponentType() + " " + c.isInstance(t) + Number.class.isAssignableFrom(Integer.class) + " " + (c.cast(t) == t) + " " + new Object() { }.getClass().getName());
        for (int i = 0; i < 30; i++) secret.invoke(null, 1L, 1.0);
        System.out.println("many calls: " + secret.invoke(null, 3L, 3.0));
    }
}
