import java.lang.reflect.*;
import java.util.*;
import java.util.function.Supplier;

/** Dynamic proxies: several interfaces, Object's methods, boxing, exceptions declared and not, default methods. */
public class Proxies {
    interface Shape {
        double area(int scale);

        String name();

        default String describe() {
            return name() + " of " + area(2);
        }

        void fail(String how) throws java.io.IOException;
    }

    static class Handler implements InvocationHandler {
        final List<String> log = new ArrayList<>();

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            log.add(method.getName() + (args == null ? "" : Arrays.toString(args)));
            switch (method.getName()) {
                case "area": return 2.5 * (Integer) args[0];
                case "name": return "proxy";
                case "describe": return InvocationHandler.invokeDefault(proxy, method, args) + "!";
                case "toString": return "handler";
                case "hashCode": return 7;
                case "equals": return proxy == args[0];
                case "fail": throw (Throwable) Class.forName((String) args[0]).getConstructor(String.class).newInstance("thrown");
                case "get": return 42;
                case "compareTo": return null;
                default: return null;
            }
        }
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getName() + " " + (e.getCause() == null ? "" : e.getCause()));
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) throws Exception {
        Handler h = new Handler();
        Object p = Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Shape.class, Supplier.class, Comparable.class}, h);
        Shape s = (Shape) p;
        System.out.println(s.area(4) + " " + s.name() + " " + s.describe() + " " + s + " " + s.hashCode() + " " + s.equals(s) + s.equals("x"));
        System.out.println(((Supplier<Object>) p).get() + " " + (p instanceof Comparable) + " " + Proxy.isProxyClass(p.getClass()) + " " + (Proxy.getInvocationHandler(p) == h) + " " + p.getClass().getSuperclass());
        System.out.println(h.log);
        try {
            s.fail("java.io.IOException");
        } catch (java.io.IOException e) {
            System.out.println("declared " + e.getMessage());
        }
        attempt("unchecked", () -> call(s, "java.lang.IllegalStateException"));
        attempt("undeclared", () -> call(s, "java.lang.InterruptedException"));
        attempt("null for a primitive", () -> ((Comparable) p).compareTo(1));
        attempt("wrong type", () -> {
            Supplier<String> strings = (Supplier<String>) p;
            System.out.println(strings.get().length());
        });
        attempt("no interface", () -> Proxy.newProxyInstance(null, new Class<?>[] {String.class}, h));
        attempt("not a proxy", () -> Proxy.getInvocationHandler("x"));
        Runnable counted = counting(() -> System.out.println("run"));
        counted.run();
        counted.run();
        System.out.println(counted + " " + Arrays.toString(p.getClass().getInterfaces()));
        System.out.println(counted.getClass() == counting(null).getClass());
        List<Object> unmodifiable = (List<Object>) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {List.class}, (proxy, m, a) -> {
            try {
                return m.invoke(List.of(1, 2), a);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        System.out.println(unmodifiable.size() + " " + unmodifiable.contains(2) + unmodifiable);
        attempt("through", () -> unmodifiable.add(3));
    }

    static void call(Shape s, String exception) {
        try {
            s.fail(exception);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    static Runnable counting(Runnable inner) {
        int[] calls = new int[1];
        return (Runnable) Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Runnable.class}, (proxy, m, a) -> {
            if (m.getDeclaringClass() == Object.class) return "counted " + calls[0];
            calls[0]++;
            return m.invoke(inner, a);
        });
    }
}
