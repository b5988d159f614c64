import java.util.List;

/** String concatenation of every type, in order of evaluation, with constants, nulls, compound forms and many operands. */
public class StringConcatenation {
    static int counter;

    static int next() {
        return ++counter;
    }

    static class Shown {
        @Override
        public String toString() {
            return "<" + next() + ">";
        }
    }

    static class NullShown {
        @Override
        public String toString() {
            return null;
        }
    }

    static final String CONSTANT = "con" + 1 + 'c' + 2.0 + true + null;

    public static void main(String[] args) {
        byte b = -128;
        short s = 32767;
        char c = 'é';
        int i = Integer.MIN_VALUE;
        long l = Long.MIN_VALUE;
        float f = 1.1f;
        double d = 1e21;
        boolean z = false;
        Object o = List.of("x");
        String none = null;
        char[] chars = {'a', 'b'};
        String all = "" + b + s + (int) c + i + l + f + d + z + o + none + chars.length;
        System.out.println(all);
        System.out.println(b + s + " " + b + s + ('a' + 1) + (char) ('a' + 1) + 'a' + 1);
        System.out.println(CONSTANT + " " + (CONSTANT == ("con1c2.0truenull")));
        System.out.println(next() + " " + next() + " " + (next() + next()) + " " + new Shown() + next() + new Shown());
        System.out.println("null from toString: " + new NullShown() + none);
        String text = "x";
        text += 1;
        text += 'c';
        text += 2.5f;
        text += null;
        text += text;
        System.out.println(text);
        String[] array = {"a", "b"};
        int k = 0;
        array[k++] += k + "!";
        array[k] += array[0];
        System.out.println(array[0] + array[1] + k);
        Object object = "o";
        object += "p";
        System.out.println(object);
        System.out.println("\u0001 and \u0002 are tags in recipes".length() + "\u0001" .length() + i + "\u0002".hashCode());
        System.out.println(("tag\u0001" + i + "\u0002" + l).length());
        String unicode = "λ" + 'é' + "日本" + (char) 0x41;
        System.out.println(unicode.length() + " " + unicode.hashCode() + " " + unicode.codePointAt(2));
        int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
        String many = a0 + "," + a1 + "," + a2 + "," + a3 + "," + a4 + "," + a5 + "," + a6 + "," + a7 + "," + a8 + "," + a9
                + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + l + d + f + z + o + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8
                + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + "end"
                + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + l + l + d + d
                + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + l + l + d + d
                + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + l + l + d + d
                + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + l + l + d + d
                + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + l + l + d + d;
        System.out.println(many.length() + " " + many.hashCode());
        System.out.println(("a" + "b" == "ab") + " " + (array[0] + "" == array[0]) + " " + ("a" + b == "a-128") + " "
                + (("a" + b).intern() == "a-128"));
        System.out.println(-0.0f + " " + Float.NaN + " " + Double.NEGATIVE_INFINITY + " " + 1.0e-5 + " " + 100f + " " + Long.MAX_VALUE);
    }
}
