import java.util.function.IntSupplier;

/** Inner, local, anonymous and static nested classes: outer instances, captures, shadowing, private access both ways. */
public class InnerClasses {
    private int x = 1;
    private static int counter;

    class Inner {
        private int x = 2;

        class Deep {
            int x = 3;

            String all(int x) {
                return x + " " + this.x + " " + Inner.this.x + " " + InnerClasses.this.x;
            }

            void bump() {
                InnerClasses.this.x++;
                Inner.this.x += 10;
                counter++;
            }
        }

        private int secret() {
            return x + InnerClasses.this.x;
        }
    }

    static class Nested {
        private final int value;

        private Nested(int value) {
            this.value = value;
        }

        private static String hidden() {
            return "private static";
        }

        private int add(long n) {
            return (int) (value + n);
        }
    }

    class Extended extends Inner {
        int both() {
            return super.secret() * 100;
        }
    }

    IntSupplier make(int start, int[] cell) {
        int step = start * 2;
        class Local implements IntSupplier {
            int calls;

            @Override
            public int getAsInt() {
                calls++;
                cell[0] += step;
                return start + step * calls + x;
            }

            Local again() {
                return new Local();
            }
        }
        Local local = new Local().again();
        return local;
    }

    static abstract class Template {
        Template() {
            System.out.println("template calls " + name());
        }

        abstract String name();
    }

    static Template anonymous(String given) {
        return new Template() {
            final String fixed = "fixed";
            String assigned = "assigned";

            {
                assigned += "!";
            }

            @Override
            String name() {
                return given + " " + fixed + " " + assigned;
            }
        };
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Inner inner = outer.new Inner();
        Inner.Deep deep = inner.new Deep();
        System.out.println(deep.all(4));
        deep.bump();
        System.out.println(deep.all(5) + " " + counter + " " + inner.secret() + " " + inner.x + " " + outer.new Extended().both());
        Nested n = new Nested(40);
        System.out.println(n.add(2) + " " + n.value + " " + Nested.hidden());
        int[] cell = {0};
        IntSupplier s = outer.make(5, cell);
        System.out.println(s.getAsInt() + " " + s.getAsInt() + " " + cell[0]);
        System.out.println(anonymous("given").name());
        try {
            InnerClasses none = null;
            none.new Inner();
        } catch (NullPointerException e) {
            System.out.println("an outer instance is needed");
        }
        Object anonymous = new Object() {
            @Override
            public String toString() {
                return "anonymous in " + getClass().getEnclosingMethod().getName();
            }
        };
        System.out.println(anonymous + " " + anonymous.getClass().isAnonymousClass() + " " + anonymous.getClass().getSimpleName().isEmpty() + " " + s.getClass().isLocalClass() + " " + s.getClass().getName() + " " + Inner.Deep.class.getName());
        System.out.println(Nested.class.getNestHost() + " " + Inner.class.isNestmateOf(Nested.class) + " " + java.util.Arrays.stream(InnerClasses.class.getDeclaredClasses()).map(Class::getSimpleName).sorted().toList() + " " + Inner.Deep.class.getDeclaringClass());
        Runnable[] chain = new Runnable[3];
        for (int i = 0; i < 3; i++) {
            final int me = i;
            chain[i] = new Runnable() {
                int depth = me;

                @Override
                public void run() {
                    if (me > 0) chain[me - 1].run();
                    System.out.print("r" + depth + " ");
                }
            };
        }
        chain[2].run();
        System.out.println();
    }
}
