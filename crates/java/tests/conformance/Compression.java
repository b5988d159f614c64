import java.io.*;
import java.util.*;
import java.util.zip.*;

/** Streams that deflate and inflate, archives in memory, checksums, and damaged input. */
public class Compression {
    public static void main(String[] args) throws Exception {
        byte[] data = "hello hello hello hello zip zip zip".repeat(50).getBytes();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(data);
        }
        byte[] back = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
        System.out.println(Arrays.equals(data, back) + " " + (packed.size() < data.length));
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(archive)) {
            for (String name : List.of("a.txt", "b/c.txt")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(name.getBytes());
                out.closeEntry();
            }
        }
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(archive.toByteArray()))) {
            for (ZipEntry entry; (entry = in.getNextEntry()) != null;) {
                System.out.println(entry.getName() + " " + new String(in.readAllBytes()) + " " + Long.toHexString(entry.getCrc()));
            }
        }
        for (Checksum checksum : List.of(new CRC32(), new Adler32(), new CRC32C())) {
            checksum.update(data);
            checksum.update('x');
            System.out.println(checksum.getClass().getSimpleName() + " " + Long.toHexString(checksum.getValue()));
        }
        try {
            new GZIPInputStream(new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        Inflater inflater = new Inflater();
        inflater.setInput(new byte[] {1, 2, 3, 4});
        try {
            inflater.inflate(new byte[10]);
        } catch (DataFormatException e) {
            System.out.println(e.getMessage());
        }
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(data);
        deflater.finish();
        byte[] raw = new byte[1000];
        int length = deflater.deflate(raw);
        Inflater rest = new Inflater(true);
        rest.setInput(raw, 0, length);
        byte[] whole = new byte[data.length];
        int total = 0;
        while (!rest.finished()) {
            total += rest.inflate(whole, total, Math.min(100, whole.length - total));
        }
        System.out.println(deflater.finished() + " " + total + " " + Arrays.equals(data, whole) + " " + (rest.getBytesRead() == length));
    }
}
