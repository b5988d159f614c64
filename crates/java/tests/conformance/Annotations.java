import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

/** Annotations at run time: defaults, arrays, nesting, inheritance, repetition, parameters, types, equality. */
public class Annotations {
    enum Level { LOW, HIGH }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface Info {
        String name() default "none";

        int[] numbers() default {1, 2};

        Level level() default Level.LOW;

        Class<?> type() default Object.class;

        Tag[] tags() default {};

        long big() default 1L << 40;

        char c() default 'c';
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Tags.class)
    @interface Tag {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Tags {
        Tag[] value();
    }

    @Retention(RetentionPolicy.CLASS)
    @interface Invisible { }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Checked {
        int value() default 0;
    }

    @Info(name = "base", numbers = 7, level = Level.HIGH, type = String.class, tags = {@Tag("x"), @Tag("y")})
    @Tag("one")
    @Tag("two")
    @Invisible
    static class Base {
        @Deprecated
        @Tag("field")
        int field;

        @Info(c = 'z')
        void method(@Tag("parameter") String a, int b) { }

        @Checked(5) String typed;
    }

    static class Derived extends Base {
        @Override
        void method(String a, int b) { }
    }

    public static void main(String[] args) throws Exception {
        Info info = Base.class.getAnnotation(Info.class);
        System.out.println(info.name() + " " + Arrays.toString(info.numbers()) + " " + info.level() + " " + info.type() + " " + info.tags()[1].value() + " " + info.big() + " " + info.c());
        System.out.println(Base.class.isAnnotationPresent(Invisible.class) + " " + Base.class.getAnnotation(Tag.class) + " " + Base.class.getAnnotationsByType(Tag.class).length + " " + Base.class.getAnnotation(Tags.class).value()[0].value());
        System.out.println(Derived.class.isAnnotationPresent(Info.class) + " " + Derived.class.isAnnotationPresent(Tags.class) + " " + Derived.class.getDeclaredAnnotations().length + " " + Derived.class.getAnnotation(Info.class).equals(info));
        Method method = Base.class.getDeclaredMethod("method", String.class, int.class);
        System.out.println(method.getAnnotation(Info.class).c() + " " + method.getParameterAnnotations()[0].length + method.getParameterAnnotations()[1].length + " " + method.getParameters()[0].getAnnotation(Tag.class).value());
        System.out.println(Derived.class.getDeclaredMethod("method", String.class, int.class).getAnnotations().length);
        Field field = Base.class.getDeclaredField("field");
        List<String> names = new ArrayList<>();
        for (Annotation a : field.getAnnotations()) names.add(a.annotationType().getSimpleName());
        System.out.println(names + " " + field.getAnnotation(Tag.class) + " " + field.getAnnotation(Deprecated.class).forRemoval());
        System.out.println(Base.class.getDeclaredField("typed").getAnnotatedType().getAnnotation(Checked.class).value());
        Tag a = Base.class.getAnnotationsByType(Tag.class)[0], b = Base.class.getAnnotation(Tags.class).value()[0];
        System.out.println(a.equals(b) + " " + (a.hashCode() == b.hashCode()) + " " + a + " " + a.annotationType() + " " + Proxy.isProxyClass(a.getClass()));
        for (Method m : new Method[] {Info.class.getMethod("name"), Info.class.getMethod("level"), Tag.class.getMethod("value")}) System.out.println(m.getName() + " " + m.getDefaultValue());
        System.out.println(Info.class.isAnnotation() + " " + Info.class.getAnnotation(Retention.class).value() + " " + FunctionalInterface.class.getAnnotation(Target.class));
        info.numbers()[0] = 99;
        System.out.println(info.numbers()[0] + " " + Runnable.class.isAnnotationPresent(FunctionalInterface.class));
    }
}
