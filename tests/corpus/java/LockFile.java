//! clean
//! found assertion broken
// A lock file: createNewFile is atomic, exists and create are not.
import java.io.File;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

public class LockFile {
    public static void main(String[] args) throws Exception {
        File dir = Files.createTempDirectory("corpus").toFile();
        File lock = new File(dir, "lock");
        AtomicInteger owners = new AtomicInteger();
        boolean broken = args.length > 0;
        Runnable take = () -> {
            try {
                if (broken) { if (!lock.exists()) { lock.createNewFile(); owners.incrementAndGet(); } }
                else if (lock.createNewFile()) owners.incrementAndGet();
            } catch (java.io.IOException e) { throw new AssertionError(e); }
        };
        Thread a = new Thread(take), b = new Thread(take);
        a.start(); b.start(); a.join(); b.join();
        assert owners.get() == 1;
    }
}
