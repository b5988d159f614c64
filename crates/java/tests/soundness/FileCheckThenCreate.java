import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;

/** Whether a file is there is asked before it is made: both threads may find that it is not. */
public class FileCheckThenCreate {
    static int made;

    static void make(File file) {
        try {
            if (!file.exists()) {
                new FileOutputStream(file).close();
                synchronized (FileCheckThenCreate.class) {
                    made++;
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        File file = new File("/tmp/sojourner-check-then-create");
        Thread first = new Thread(() -> make(file)), second = new Thread(() -> make(file));
        first.start();
        second.start();
        first.join();
        second.join();
        assert made == 1;
    }
}
