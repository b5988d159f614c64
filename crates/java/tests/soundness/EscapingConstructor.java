/** The object escapes from its constructor before its final field is set. */
public class EscapingConstructor {
    static EscapingConstructor escaped;
    final int value;

    EscapingConstructor() {
        escaped = this;
        value = 1;
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(EscapingConstructor::new);
        t.start();
        EscapingConstructor read = escaped;
        int seen = read == null ? 1 : read.value;
        t.join();
        assert seen == 1;
    }
}
