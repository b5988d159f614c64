/** StringBuilder and StringBuffer: insertion, deletion, replacement, reversal with surrogates, capacity, bounds. */
public class StringBuilders {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        StringBuilder b = new StringBuilder("base");
        b.append(1).append('c').append(2L).append(3f).append(4d).append(true).append((Object) null).append(new char[] {'x', 'y'})
                .append("abcdef", 1, 3).append(new char[] {'1', '2', '3'}, 1, 2).append((String) null).appendCodePoint(0x1F600);
        System.out.println(b.length() + " " + b.indexOf("null") + " " + b.lastIndexOf("null") + " " + b.toString().hashCode());
        b.setLength(10);
        b.insert(0, -5).insert(2, "in").insert(4, 1.5).insert(0, new char[] {'<'}).insert(b.length(), '>').insert(3, false);
        System.out.println(b);
        b.delete(0, 3).deleteCharAt(0).replace(1, 4, "REPLACED").setCharAt(0, '#');
        System.out.println(b + " " + b.charAt(3) + " " + b.substring(2) + " " + b.substring(1, 3) + " " + b.subSequence(0, 2));
        System.out.println(new StringBuilder("abc").reverse() + " " + new StringBuilder("a\uD83D\uDE00b").reverse().codePointAt(1));
        System.out.println(new StringBuilder().capacity() + " " + new StringBuilder("12345").capacity() + " " + new StringBuilder(100).capacity());
        StringBuilder grows = new StringBuilder(1);
        for (int i = 0; i < 1000; i++) grows.append((char) ('a' + i % 26));
        System.out.println(grows.length() + " " + grows.toString().hashCode());
        grows.setLength(3);
        grows.trimToSize();
        grows.setLength(5);
        System.out.println(grows.toString().replace('\0', '.') + " " + grows.capacity());
        StringBuilder wide = new StringBuilder("latin");
        wide.append('\u20ac').setCharAt(0, '\u0416');
        wide.deleteCharAt(5).setCharAt(0, 'L');
        System.out.println(wide + " " + wide.toString().equals("Latin") + " " + "Latin".contentEquals(wide) + " " + wide.compareTo(new StringBuilder("Latio")));
        attempt("charAt", () -> b.charAt(100));
        attempt("setLength", () -> b.setLength(-1));
        attempt("delete", () -> b.delete(5, 2));
        attempt("delete beyond", () -> new StringBuilder("abc").delete(1, 100));
        attempt("insert", () -> b.insert(-1, "x"));
        attempt("substring", () -> b.substring(3, 1));
        attempt("deleteCharAt", () -> new StringBuilder().deleteCharAt(0));
        attempt("capacity", () -> new StringBuilder(-1));
        attempt("null", () -> new StringBuilder((String) null));
        attempt("replace", () -> b.replace(100, 101, "x"));
        StringBuffer shared = new StringBuffer();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 100; n++) shared.append("ab");
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(shared.length() + " " + shared.toString().equals("ab".repeat(300)) + " " + shared.reverse().charAt(0));
        System.out.println(new StringBuilder("é\u0301x").chars().sum() + " " + new StringBuilder("\uD83D\uDE00z").codePoints().count()
                + " " + new StringBuilder("x\uD83D\uDE00").offsetByCodePoints(0, 2));
        char[] out = new char[5];
        new StringBuilder("copied").getChars(1, 4, out, 1);
        System.out.println(new String(out).replace('\0', '_') + String.join("|", "a", "b") + new java.util.StringJoiner(",", "{", "}").add("p").add("q"));
    }
}
