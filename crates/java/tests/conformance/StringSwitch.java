/** Switches on strings with colliding hashes, on ints dense and sparse, on chars, enums and as expressions. */
public class StringSwitch {
    enum Colour { RED, GREEN, BLUE }

    static int byString(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa":
            case "BBBB": return 3;
            case "AaBB": return 4;
            case "": return 5;
            default: return -1;
        }
    }

    static String fallThrough(int n) {
        StringBuilder out = new StringBuilder();
        switch (n) {
            case 0: out.append("zero ");
            case 1: out.append("one ");
            case 2: out.append("two "); break;
            default: out.append("other ");
            case 5: out.append("five");
        }
        return out.toString();
    }

    static int sparse(int n) {
        switch (n) {
            case Integer.MIN_VALUE: return 1;
            case -100: return 2;
            case 0: return 3;
            case 1_000_000: return 4;
            case Integer.MAX_VALUE: return 5;
        }
        return 0;
    }

    static String expression(Object o) {
        return switch (o.toString()) {
            case "a", "b", "c" -> "early";
            case "x" -> {
                int n = o.hashCode();
                yield "late " + n;
            }
            default -> throw new IllegalArgumentException("neither: " + o);
        };
    }

    static int colour(Colour c) {
        return switch (c) {
            case RED -> 0xff0000;
            case GREEN -> 0x00ff00;
            case BLUE -> 0x0000ff;
        };
    }

    public static void main(String[] args) {
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "C#"}) {
            System.out.println(s + " " + s.hashCode() + " " + byString(s));
        }
        for (int n : new int[] {-1, 0, 1, 2, 3, 4, 5, 6, -100, 1_000_000, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            System.out.println(n + " " + fallThrough(n) + " " + sparse(n));
        }
        for (Object o : new Object[] {'a', "b", "x", 12}) {
            try {
                System.out.println(expression(o));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        for (Colour c : Colour.values()) {
            System.out.println(c + " " + colour(c));
        }
        for (Object[] call : new Object[][] {{"string"}, {"enum"}}) {
            try {
                System.out.println(call[0].equals("string") ? byString(null) : colour(null));
            } catch (NullPointerException e) {
                System.out.println(call[0] + " NullPointerException");
            }
        }
        char grade = 'B';
        switch (grade) {
            case 'A' -> System.out.println("top");
            case 'B', 'C' -> System.out.println("middle");
            default -> { }
        }
    }
}
