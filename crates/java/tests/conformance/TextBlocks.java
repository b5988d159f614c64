/** Text blocks: indentation, escapes, line continuations, and the string methods that go with them. */
public class TextBlocks {
    static final String JSON = """
            {
              "name": "value",
              "list": [1, 2,
                       3]
            }
            """;

    static void show(String s) {
        System.out.println(s.length() + " [" + s.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r") + "]");
    }

    public static void main(String[] args) {
        show(JSON);
        show("""
            no newline at the end""");
        show("""
               indented
            base
              trailing spaces are stripped    \s
            \tescaped tab\
             joined
            """);
        show("""
            quotes " "" \""" and \\ backslash \0 \101 \u0041
            """);
        show("""

            empty line above

            """);
        show("""
    left
        """);
        String name = "World";
        show("""
            Hello, %s! %d
            """.formatted(name, 42));
        show("  a\n    b\n  c".stripIndent());
        show("a\\tb\\n\\u\\101".replace("\\u", "").translateEscapes());
        show("x\ny".indent(3));
        show("   x\n  y\n".indent(-2));
        System.out.println("a\nb\r\nc\rd".lines().toList());
        show("a" + """
            b
            """ + 'c');
        System.out.println("""
            same""" == "same");
        try {
            "bad \\q".translateEscapes();
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("text".transform(s -> s + s).transform(String::length));
    }
}
