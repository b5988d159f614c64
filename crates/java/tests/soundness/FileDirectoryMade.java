import java.io.File;
import java.io.IOException;

/** A directory is deleted while another thread puts a file into it: one of the two fails, and never both. */
public class FileDirectoryMade {
    static boolean made, deleted;

    public static void main(String[] args) throws Exception {
        File directory = new File("/tmp/sojourner-made");
        assert directory.mkdir();
        Thread deletes = new Thread(() -> deleted = directory.delete());
        deletes.start();
        try {
            made = new File(directory, "file").createNewFile();
        } catch (IOException e) {
            made = false;
        }
        deletes.join();
        assert made != deleted && directory.exists() == made;
    }
}
