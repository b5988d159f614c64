import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says what the Java virtual machine thinks of class files: the first argument is a file of them, each preceded by its
 * length, the second the folder of the other classes. Nothing of them is run.
 */
public class Judge {
    static class One extends ClassLoader {
        final Path folder;
        Class<?> defined;

        One(Path folder) {
            this.folder = folder;
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (defined != null && defined.getName().equals(name)) {
                return defined;
            }
            try {
                byte[] bytes = Files.readAllBytes(folder.resolve(name + ".class"));
                return define(bytes);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        StringBuilder verdicts = new StringBuilder();
        try (var in = new DataInputStream(new BufferedInputStream(new FileInputStream(arguments[0])))) {
            for (int count = in.readInt(); count > 0; count--) {
                byte[] bytes = in.readNBytes(in.readInt());
                verdicts.append(judge(bytes, new One(folder))).append('\n');
            }
        }
        System.out.print(verdicts);
    }

    static String judge(byte[] bytes, One loader) {
        try {
            loader.defined = loader.define(bytes);
            // Reflection needs the class linked, and linking verifies it.
            loader.defined.getDeclaredFields();
            return "sound";
        } catch (VerifyError e) {
            return "VerifyError " + e.getMessage().split("\n")[0];
        } catch (Throwable e) {
            return e.getClass().getSimpleName();
        }
    }
}
