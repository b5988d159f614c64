import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** A number in a file is read, and written back larger by one: one of two additions may be lost, or the file found empty. */
public class FileOverwritten {
    static final String FILE = "/tmp/sojourner-overwritten";
    static int number;

    static int read() throws IOException {
        try (FileInputStream in = new FileInputStream(FILE)) {
            return in.read();
        }
    }

    static void write(int number) throws IOException {
        try (FileOutputStream out = new FileOutputStream(FILE)) {
            out.write(number);
        }
    }

    static void add() {
        try {
            write(read() + 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        write(0);
        Thread other = new Thread(() -> add());
        other.start();
        add();
        other.join();
        number = read();
        assert number == 2;
    }
}
