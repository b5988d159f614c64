import java.io.*;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lambdas that can be written and read back: alternative metafactory, markers, bridges, SerializedLambda. */
public class SerializableLambda implements Serializable {
    interface Text extends Serializable, Supplier<String> { }

    interface Narrow<T extends Number> extends Function<T, String>, Serializable {
        @Override
        String apply(T value);
    }

    private final String name;

    SerializableLambda(String name) {
        this.name = name;
    }

    Text bound(int n) {
        return () -> name + n;
    }

    static SerializedLambda form(Object lambda) throws Exception {
        Method replace = lambda.getClass().getDeclaredMethod("writeReplace");
        replace.setAccessible(true);
        return (SerializedLambda) replace.invoke(lambda);
    }

    @SuppressWarnings("unchecked")
    static <T> T copy(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    public static void main(String[] args) throws Exception {
        Text bound = new SerializableLambda("object").bound(7);
        System.out.println(bound.get() + " " + (bound instanceof Serializable));
        SerializedLambda form = form(bound);
        System.out.println(form.getCapturingClass() + " " + form.getFunctionalInterfaceClass() + " "
                + form.getFunctionalInterfaceMethodName() + form.getFunctionalInterfaceMethodSignature() + " "
                + form.getInstantiatedMethodType() + " " + form.getImplMethodKind() + " " + form.getCapturedArgCount() + " "
                + form.getCapturedArg(1));
        System.out.println(copy(bound).get() + " " + (copy(bound) == bound));
        Narrow<Integer> narrow = n -> "n" + (n + 1);
        System.out.println(narrow.apply(4) + " " + ((Function<Integer, String>) narrow).apply(5));
        Narrow<Integer> read = copy(narrow);
        System.out.println(read.apply(6));
        Function<String, Integer> length = (Function<String, Integer> & Serializable) String::length;
        System.out.println(copy(length).apply("seven") + " " + form(length).getImplMethodName());
        BiFunction<Integer, Integer, Integer> sum = (BiFunction<Integer, Integer, Integer> & Serializable) Integer::sum;
        System.out.println(copy(sum).apply(20, 22));
        Comparator<String> order = Comparator.comparing((Function<String, Integer> & Serializable) String::length);
        System.out.println(copy(order).compare("aaa", "bb"));
        try {
            copy((Supplier<String>) () -> "not serialisable");
        } catch (NotSerializableException e) {
            System.out.println("NotSerializableException");
        }
    }
}
