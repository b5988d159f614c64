import java.io.IOException;
import java.io.RandomAccessFile;

/** Two threads go to a place in one open file and write there: the other one may have gone elsewhere meanwhile. */
public class FileDescriptorShared {
    static int first, second;

    static void put(RandomAccessFile file, int place) {
        try {
            file.seek(place);
            file.write(place + 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        RandomAccessFile file = new RandomAccessFile("/tmp/sojourner-shared", "rw");
        Thread other = new Thread(() -> put(file, 1));
        other.start();
        put(file, 0);
        other.join();
        file.seek(0);
        first = file.read();
        second = file.read();
        assert first == 1 && second == 2;
    }
}
