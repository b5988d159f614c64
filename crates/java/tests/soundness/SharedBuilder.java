/** A StringBuilder is not for two threads. */
public class SharedBuilder {
    static int length;

    public static void main(String[] args) throws Exception {
        StringBuilder text = new StringBuilder();
        Thread t = new Thread(() -> text.append('a'));
        t.start();
        text.append('b');
        t.join();
        length = text.length();
        assert length == 2;
    }
}
