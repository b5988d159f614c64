import java.io.File;

/** A file is made by one thread only, if it is made and looked for in one go: a lock file. */
public class FileCreatedOnce {
    static int made;

    static void make(File file) {
        try {
            if (file.createNewFile()) {
                synchronized (FileCreatedOnce.class) {
                    made++;
                }
            }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        File file = new File("/tmp/sojourner-created-once");
        Thread first = new Thread(() -> make(file)), second = new Thread(() -> make(file));
        first.start();
        second.start();
        first.join();
        second.join();
        assert made == 1 && file.delete() && !file.exists();
    }
}
