import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** What two threads append to a file is all there, in either order. */
public class FileAppended {
    static final String FILE = "/tmp/sojourner-appended";
    static int first, second;

    static void append(int number) {
        try (FileOutputStream out = new FileOutputStream(FILE, true)) {
            out.write(number);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> append(1));
        other.start();
        append(2);
        other.join();
        try (FileInputStream in = new FileInputStream(FILE)) {
            first = in.read();
            second = in.read();
        }
        assert first + second == 3;
    }
}
