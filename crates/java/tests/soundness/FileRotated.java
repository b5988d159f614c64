import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;

/** A log is renamed while another thread writes to it: the thread goes on writing to what it has opened, and nothing is lost. */
public class FileRotated {
    static final File LOG = new File("/tmp/sojourner-log"), OLD = new File("/tmp/sojourner-log.1");
    static long old, now;

    public static void main(String[] args) throws Exception {
        LOG.createNewFile();
        Thread writer = new Thread(() -> {
            try (FileOutputStream out = new FileOutputStream(LOG, true)) {
                out.write('x');
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();
        boolean renamed = LOG.renameTo(OLD);
        writer.join();
        old = OLD.length();
        now = LOG.length();
        assert renamed && old + now == 1 && LOG.exists() == (now == 1);
    }
}
