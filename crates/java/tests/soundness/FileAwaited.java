import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;

/** A thread looks for a file until another one has made it, and may find it before anything is in it. */
public class FileAwaited {
    static long length;

    public static void main(String[] args) {
        File file = new File("/tmp/sojourner-awaited");
        new Thread(() -> {
            try (FileOutputStream out = new FileOutputStream(file)) {
                out.write(1);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }).start();
        while (!file.exists()) {
            Thread.yield();
        }
        length = file.length();
        assert length == 1;
    }
}
