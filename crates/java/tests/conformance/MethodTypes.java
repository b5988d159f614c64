import java.lang.invoke.MethodType;
import java.util.List;

/** Method types: one object each, changed in every way, and what is refused. */
public class MethodTypes {
    interface Action {
        Object run() throws Throwable;
    }

    static void attempt(String what, Action action) {
        try {
            System.out.println(what + ": " + action.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName() + ": " + t.getMessage());
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodType type = MethodType.methodType(String.class, int.class, Object[].class, MethodTypes.class);
        System.out.println(type + " " + (type == MethodType.methodType(String.class, List.of(int.class, Object[].class, MethodTypes.class))) + " " + type.equals("x")
                + " " + (type.hashCode() == MethodType.methodType(String.class, new Class<?>[] {int.class, Object[].class, MethodTypes.class}).hashCode()));
        System.out.println(type.changeReturnType(void.class) + " " + type.changeParameterType(1, long.class) + " " + type.dropParameterTypes(0, 2) + " " + type.insertParameterTypes(1, char.class, byte.class)
                + " " + type.appendParameterTypes(float.class) + " " + type.erase() + " " + type.generic() + " " + type.wrap() + " " + type.wrap().unwrap() + " " + type.hasPrimitives() + type.hasWrappers());
        System.out.println(type.parameterList() + " " + type.lastParameterType() + " " + type.parameterType(0) + " " + type.returnType() + " " + type.toMethodDescriptorString() + " " + type.descriptorString());
        System.out.println(MethodType.genericMethodType(3) + " " + MethodType.genericMethodType(1, true) + " " + MethodType.methodType(int.class, type) + " " + MethodType.methodType(void.class).parameterCount());
        System.out.println(MethodType.fromMethodDescriptorString("([[ILMethodTypes;)Ljava/util/List;", MethodTypes.class.getClassLoader()));
        attempt("void parameter", () -> MethodType.methodType(int.class, void.class));
        attempt("null", () -> MethodType.methodType(int.class, (Class<?>) null));
        attempt("null result", () -> MethodType.methodType(null, int.class));
        attempt("index", () -> type.parameterType(7));
        attempt("insert", () -> type.insertParameterTypes(9, int.class));
        attempt("descriptor", () -> MethodType.fromMethodDescriptorString("(I", null));
        attempt("missing", () -> MethodType.fromMethodDescriptorString("(LMissing;)V", MethodTypes.class.getClassLoader()));
        System.out.println(type.describeConstable().get().displayDescriptor());
    }
}
