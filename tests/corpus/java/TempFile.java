//! clean
//! found assertion broken
// Two threads append to one file; broken: each reads it and writes it back.
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class TempFile {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("corpus", ".txt");
        boolean broken = args.length > 0;
        Runnable append = () -> {
            try {
                if (broken) Files.writeString(file, Files.readString(file) + "x");
                else Files.writeString(file, "x", StandardOpenOption.APPEND);
            } catch (java.io.IOException e) { throw new AssertionError(e); }
        };
        Thread a = new Thread(append), b = new Thread(append);
        a.start(); b.start(); a.join(); b.join();
        assert Files.size(file) == 2;
        Files.delete(file);
    }
}
