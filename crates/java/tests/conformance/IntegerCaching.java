/** Boxing: caches, identity, equality across types, unboxing in comparisons and ternaries, parsing and printing. */
public class IntegerCaching {
    static String kind(long l) {
        return "long";
    }

    static String kind(Integer i) {
        return "Integer";
    }

    static String kind(Object o) {
        return "Object";
    }

    static String kind(int... i) {
        return "varargs";
    }

    static void attempt(Runnable r) {
        try {
            r.run();
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        for (int n : new int[] {-129, -128, 0, 127, 128}) {
            Integer a = n, b = n;
            Long c = (long) n, d = (long) n;
            Short e = (short) n, f = (short) n;
            System.out.println(n + " " + (a == b) + (c == d) + (e == f) + " " + a.equals(b) + a.equals(n) + a.equals((long) n) + " " + a.hashCode() + " " + c.hashCode());
        }
        Character x = 'c', y = 'c', wide = '\u0100', wider = '\u0100';
        Boolean t = true, u = Boolean.valueOf("TRUE");
        Byte p = (byte) -128, q = (byte) -128;
        System.out.println((x == y) + " " + (wide == wider) + " " + (t == u) + " " + (p == q) + " " + (Integer.valueOf(5) == 5) + " " + Double.valueOf(1).equals(1.0) + " " + Boolean.hashCode(true) + " " + Boolean.hashCode(false));
        Object ternary = true ? 1 : 2.0;
        Object noUnboxing = true ? (Object) 1 : 2.0;
        Integer none = null;
        System.out.println(ternary + " " + noUnboxing);
        try {
            int bad = args.length == 0 ? none : 0;
            System.out.println(bad);
        } catch (NullPointerException e) {
            System.out.println("unboxed null");
        }
        int i = 5;
        byte b = 3;
        System.out.println(kind(i) + " " + kind(b) + " " + kind((Integer) i) + " " + kind("s") + " " + kind() + " " + kind('c') + " " + kind(1f));
        Integer counter = 127;
        Integer before = counter;
        counter++;
        counter += 2;
        System.out.println(counter + " " + before + " " + (counter > before) + " " + (counter - before));
        Long sum = 0L;
        for (int k = 0; k < 5; k++) sum += k;
        System.out.println(sum + " " + sum.equals(10) + " " + (sum == 10) + " " + new java.util.ArrayList<>(java.util.List.of(1, 2, 3)).remove(Integer.valueOf(2)));
        System.out.println(Integer.toString(-255, 16) + " " + Integer.toHexString(-255) + " " + Integer.toOctalString(8) + " " + Integer.toBinaryString(10) + " " + Long.toString(Long.MIN_VALUE, 36) + " " + Integer.parseInt("-7f", 16) + " " + Integer.decode("#ff") + " " + Integer.decode("-010") + " " + Long.parseLong("+5")
                + " " + Integer.parseInt("x12y", 1, 3, 10) + " " + Short.parseShort("-1") + " " + Byte.decode("0x7f") + " " + Character.getNumericValue('7'));
        attempt(() -> Integer.parseInt(""));
        attempt(() -> Integer.parseInt(null));
        attempt(() -> Integer.parseInt("2147483648"));
        attempt(() -> Integer.parseInt("12", 99));
        attempt(() -> Byte.parseByte("200"));
        attempt(() -> Long.parseLong("1L"));
        attempt(() -> Integer.parseInt("- 1"));
        attempt(() -> Double.parseDouble("1..2"));
        System.out.println(Integer.MAX_VALUE + 1 + " " + Integer.compare(3, 5) + Integer.signum(-9) + Integer.max(3, 4) + " " + Integer.BYTES + Long.SIZE + " " + Double.MIN_VALUE + " " + Float.MAX_VALUE + " " + Short.toUnsignedInt((short) -1) + " " + Byte.toUnsignedLong((byte) -1) + " " + Character.BYTES);
    }
}
