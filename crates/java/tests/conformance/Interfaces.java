/** Interfaces: defaults, diamonds, private and static methods, super calls, constants, abstract overrides. */
public class Interfaces {
    interface Named {
        String PREFIX = "n:";

        default String name() {
            return PREFIX + "named";
        }

        static Named of(String s) {
            return new Named() {
                @Override
                public String name() {
                    return s;
                }
            };
        }
    }

    interface Left extends Named {
        @Override
        default String name() {
            return "left " + Named.super.name();
        }
    }

    interface Right extends Named { }

    interface Loud {
        default String name() {
            return shout("loud");
        }

        private String shout(String s) {
            return decorate(s.toUpperCase(java.util.Locale.ROOT));
        }

        private static String decorate(String s) {
            return s + "!";
        }
    }

    static class Diamond implements Left, Right { }

    static class Resolved implements Left, Loud {
        @Override
        public String name() {
            return Left.super.name() + "+" + Loud.super.name();
        }
    }

    static class Parent {
        public String name() {
            return "class wins";
        }
    }

    static class Child extends Parent implements Loud { }

    interface Again extends Loud {
        @Override
        String name();
    }

    static abstract class Abstract implements Again {
        String call() {
            return "abstract " + name();
        }
    }

    interface Counter {
        int next();

        default int skip(int n) {
            int last = 0;
            for (int i = 0; i < n; i++) last = next();
            return last;
        }
    }

    static <T extends Named & Runnable> String use(T t) {
        t.run();
        return t.name();
    }

    static class Worker extends Diamond implements Runnable {
        @Override
        public void run() {
            System.out.print("working ");
        }
    }

    public static void main(String[] args) {
        System.out.println(new Diamond().name() + " | " + new Resolved().name() + " | " + new Child().name() + " | " + Named.of("made").name());
        System.out.println(new Abstract() {
            @Override
            public String name() {
                return "concrete";
            }
        }.call());
        int[] state = {0};
        Counter c = () -> ++state[0];
        System.out.println(c.skip(5) + " " + c.next() + " " + Named.PREFIX + Left.PREFIX + Diamond.PREFIX);
        System.out.println(use(new Worker()));
        Named[] all = {new Diamond(), new Right() { }, new Worker(), Named.of("x")};
        for (Named n : all) System.out.print(n.name() + "; ");
        System.out.println();
        Object o = new Resolved();
        System.out.println((o instanceof Named) + " " + (o instanceof Loud) + " " + (o instanceof Right) + " " + ((Loud) o).name() + " " + Left.class.isInterface() + " " + Runnable.class.isInstance(new Worker()));
        try {
            Runnable r = (Runnable) (Object) new Diamond();
            r.run();
        } catch (ClassCastException e) {
            System.out.println("not a Runnable");
        }
        Object asObject = (Named) new Diamond();
        System.out.println(asObject.equals(asObject) + " " + new Diamond().getClass().getInterfaces().length + " " + java.util.Arrays.stream(Loud.class.getDeclaredMethods()).filter(m -> m.isDefault()).count());
    }
}
