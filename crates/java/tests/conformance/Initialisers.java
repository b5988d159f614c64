/** Order within an object's making: fields, blocks, constructors, this calls, finals, forward references, exceptions. */
public class Initialisers {
    static StringBuilder log = new StringBuilder();

    static int note(String s, int v) {
        log.append(s).append(' ');
        return v;
    }

    int a = note("a", 1);

    {
        note("block1 b=" + this.b, 0);
    }

    int b = note("b", a + 1);
    final int c;
    final int[] table = new int[3];

    {
        for (int i = 0; i < table.length; i++) table[i] = i * b;
        c = note("c", table[2]);
    }

    Initialisers() {
        this(note("argument", 5));
        note("no-arg", 0);
    }

    Initialisers(int n) {
        super();
        note("int " + n + " c=" + c, 0);
        if (n < 0) throw new IllegalArgumentException("negative");
    }

    static class Sub extends Initialisers {
        String late = "set";
        static Sub escaped;

        Sub(int n) {
            super(note("sub argument", n));
            note("sub " + late, 0);
        }

        @Override
        public String toString() {
            return "late is " + late;
        }
    }

    static class Escapes extends Base {
        final int constant = 7;
        final Integer boxed = 8;
        int plain = 9;

        @Override
        void hook() {
            note("hook sees " + constant + " " + boxed + " " + plain, 0);
            plain = 100;
        }
    }

    static class Base {
        Base() {
            hook();
        }

        void hook() { }
    }

    static class Finalised {
        static final Finalised SELF = new Finalised();
        static int count = 5;
        static final int CONSTANT = 6;
        int seen = count, constant = CONSTANT;
    }

    static void flush(String what) {
        System.out.println(what + ": " + log);
        log.setLength(0);
    }

    public static void main(String[] args) {
        new Initialisers();
        flush("default");
        try {
            new Sub(-1);
        } catch (IllegalArgumentException e) {
            flush("failed " + e.getMessage());
        }
        System.out.println(new Sub(2));
        flush("sub");
        System.out.println(new Escapes().plain);
        flush("escapes");
        System.out.println(Finalised.SELF.seen + " " + Finalised.SELF.constant + " " + new Finalised().seen);
        int local;
        if (args.length == 0) local = 1;
        else local = 2;
        final int assignedOnce;
        switch (local) {
            case 1: assignedOnce = 10; break;
            default: assignedOnce = 20;
        }
        System.out.println(local + assignedOnce);
        Object[] defaults = {new boolean[1][0], new char[1][0], new double[1], new Object[1], new long[1]};
        System.out.println((int) (new char[1])[0] + " " + ((double[]) defaults[2])[0] + " " + ((Object[]) defaults[3])[0] + " " + ((long[]) defaults[4])[0] + " " + (new boolean[1])[0]);
        int[] order = {0, 0, 0};
        int i = 0;
        order[i++] = order[i] = i = 2;
        System.out.println(order[0] + " " + order[1] + " " + order[2] + " " + i);
    }
}
