/** When classes are initialised, in which order, and what does not initialise them. */
public class ClassInitialisationOrder {
    static int say(String text, int value) {
        System.out.println(text);
        return value;
    }

    static class Constants {
        static final int INLINE = 7;
        static final String TEXT = "constant";
        static final int COMPUTED = say("Constants", 8);
    }

    interface Plain {
        int FIELD = say("Plain", 1);
    }

    interface WithDefault {
        int FIELD = say("WithDefault", 2);

        default void method() { }
    }

    static class Parent implements WithDefault, Plain {
        static int p = say("Parent.p", 3);
        int instance = say("Parent.instance", 4);

        static {
            say("Parent static block", 0);
        }

        {
            say("Parent block", 0);
        }

        Parent() {
            say("Parent()", 0);
            hook();
        }

        void hook() {
            say("Parent.hook", 0);
        }
    }

    static class Child extends Parent {
        static int c = say("Child.c", p + 1);
        int value = say("Child.value", 5);
        final int constant = 6;

        Child() {
            say("Child() " + value, 0);
        }

        @Override
        void hook() {
            say("Child.hook sees " + value + " " + constant, 0);
        }
    }

    static class Left {
        static int a = say("Left", 1);
        static int b = Right.r + 1;
    }

    static class Right {
        static int r = say("Right sees " + Left.a + " " + Left.b, 10);
    }

    static class Holder {
        static final Object LAZY = say("Holder", 0);

        static Object get() {
            return LAZY;
        }
    }

    enum Kind {
        A, B;
        static final int N = say("Kind " + values().length, 2);

        Kind() {
            say("Kind() " + name(), 0);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Constants.INLINE + Constants.TEXT);
        System.out.println(Constants.COMPUTED);
        Child[] none = new Child[2];
        Class<?> mirror = Child.class;
        System.out.println(none.length + mirror.getSimpleName() + (none[0] instanceof Child));
        System.out.println(Child.p);
        new Child();
        new Child();
        System.out.println(Plain.FIELD + " " + Left.b + " " + Right.r);
        Class<?> loaded = Class.forName("ClassInitialisationOrder$Holder", false, ClassInitialisationOrder.class.getClassLoader());
        System.out.println(loaded.getName() + " is loaded");
        Class.forName("ClassInitialisationOrder$Holder");
        System.out.println(Holder.get());
        System.out.println(Kind.valueOf("B"));
    }

    static {
        System.out.println("the main class first");
    }
}
