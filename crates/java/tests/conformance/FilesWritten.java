import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;

/** Files and directories that are made, written, renamed and deleted. Nothing is left behind. */
public class FilesWritten {
    static void say(Object o) { System.out.println(o); }
    static void fails(Callable c) { try { say("no failure " + c.call()); } catch (Throwable t) { say(t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("/tmp/[^/ ]*", "T").replaceAll("[0-9]{6,}", "N")); } }
    interface Callable { Object call() throws Exception; }
    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("fs");
        say(Files.isDirectory(dir) + " " + Files.exists(dir));
        Path a = dir.resolve("a.txt");
        Files.write(a, List.of("one", "two"));
        say(Files.readAllLines(a) + " " + Files.size(a));
        Files.write(a, "three\n".getBytes(), StandardOpenOption.APPEND);
        say(Files.readString(a).length() + " " + Files.readAllLines(a));
        fails(() -> Files.createFile(a));
        fails(() -> Files.readString(dir.resolve("none")));
        fails(() -> { Files.delete(dir); return 0; });
        Files.copy(a, dir.resolve("b.txt"));
        fails(() -> Files.copy(a, dir.resolve("b.txt")));
        Files.copy(a, dir.resolve("b.txt"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(dir.resolve("b.txt"), dir.resolve("c.txt"));
        Files.move(dir.resolve("c.txt"), dir.resolve("d.txt"), StandardCopyOption.ATOMIC_MOVE);
        try (Stream<Path> s = Files.list(dir)) { say(s.map(p -> p.getFileName().toString()).sorted().collect(Collectors.toList())); }
        Path sub = Files.createDirectories(dir.resolve("x/y/z"));
        Files.writeString(sub.resolve("deep"), "deep");
        try (Stream<Path> s = Files.walk(dir)) { say(s.map(p -> dir.relativize(p).toString()).sorted().collect(Collectors.toList())); }
        fails(() -> { Files.delete(dir.resolve("x")); return 0; });
        Files.move(dir.resolve("x"), dir.resolve("w"));
        say(Files.exists(dir.resolve("x")) + " " + Files.readString(dir.resolve("w/y/z/deep")));
        Files.createSymbolicLink(dir.resolve("l"), Paths.get("w/y"));
        say(Files.readString(dir.resolve("l/z/deep")) + " " + Files.isSymbolicLink(dir.resolve("l")) + " " + Files.readSymbolicLink(dir.resolve("l")) + " " + dir.relativize(dir.resolve("l/z").toRealPath()));
        Files.createLink(dir.resolve("hard"), a);
        Files.writeString(dir.resolve("hard"), "hard");
        say(Files.readString(a) + " " + Files.isSameFile(a, dir.resolve("hard")));
        try (BufferedWriter w = Files.newBufferedWriter(dir.resolve("bw"))) { for (int i = 0; i < 3000; i++) w.write("line " + i + "\n"); }
        say(Files.size(dir.resolve("bw")) + " " + Files.readAllLines(dir.resolve("bw")).get(2999));
        try (FileChannel ch = FileChannel.open(dir.resolve("ch"), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            say(ch.write(ByteBuffer.wrap("hello world".getBytes())) + " " + ch.position() + " " + ch.size());
            ch.position(6); ch.write(ByteBuffer.wrap("W".getBytes()));
            ch.write(ByteBuffer.wrap("!".getBytes()), 20);
            say(ch.size());
            ByteBuffer b = ByteBuffer.allocate(30); say(ch.read(b, 0) + " " + new String(b.array(), 0, 11));
            ch.truncate(5); say(ch.size() + " " + ch.position());
            ch.write(new ByteBuffer[] { ByteBuffer.wrap("ab".getBytes()), ByteBuffer.wrap("cd".getBytes()) });
            ch.position(0); ByteBuffer p = ByteBuffer.allocate(3), q = ByteBuffer.allocate(10); say(ch.read(new ByteBuffer[] { p, q }) + " " + new String(p.array()) + new String(q.array(), 0, 6));
            try (FileLock l = ch.tryLock()) { say(l.isValid()); fails(() -> ch.tryLock()); fails(() -> ch.lock()); }
            try (FileChannel to = FileChannel.open(dir.resolve("ch2"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) { say(ch.transferTo(2, 4, to)); to.transferFrom(ch.position(0), 4, 3); }
            say(Files.readString(dir.resolve("ch2")));
            ch.force(true);
            MappedByteBuffer m = ch.map(FileChannel.MapMode.READ_ONLY, 1, 4); say((char) m.get(0));
        }
        File f = new File(dir.toFile(), "f");
        say(f.createNewFile() + " " + f.createNewFile() + " " + f.exists() + " " + f.length() + " " + f.isFile());
        try (FileOutputStream o = new FileOutputStream(f)) { o.write("abc".getBytes()); o.write('d'); }
        try (FileOutputStream o = new FileOutputStream(f, true)) { o.write("efg".getBytes()); }
        try (FileInputStream i = new FileInputStream(f)) { say(i.available() + " " + i.skip(2) + " " + (char) i.read() + new String(i.readAllBytes())); }
        try (RandomAccessFile r = new RandomAccessFile(f, "rw")) { r.seek(5); r.writeInt(0x41424344); r.seek(0); say(r.readLine() + " " + r.length()); r.setLength(3); say(r.length() + " " + r.getFilePointer()); }
        fails(() -> new RandomAccessFile(new File(dir.toFile(), "nope"), "r"));
        fails(() -> new FileOutputStream(dir.toFile()));
        fails(() -> new FileOutputStream(new File(dir.toFile(), "no/such")));
        FileInputStream closed = new FileInputStream(f); closed.close(); fails(() -> closed.read());
        FileInputStream open = new FileInputStream(f);
        say(f.delete() + " " + f.delete() + " " + f.exists() + " " + (char) open.read()); open.close();
        File g = File.createTempFile("pre", ".suf", dir.toFile()); say(g.getName().startsWith("pre") + " " + g.getName().endsWith(".suf") + " " + g.exists());
        File h = new File(dir.toFile(), "h"); say(g.renameTo(h) + " " + g.exists() + " " + h.exists() + " " + g.renameTo(h));
        say(new File(dir.toFile(), "m/n").mkdir() + " " + new File(dir.toFile(), "m/n").mkdirs() + " " + new File(dir.toFile(), "m/n").isDirectory());
        String[] names = dir.toFile().list(); Arrays.sort(names); say(String.join(",", names));
        h.setReadOnly(); Set<PosixFilePermission> perms = Files.getPosixFilePermissions(h.toPath()); say(PosixFilePermissions.toString(perms));
        Files.setPosixFilePermissions(h.toPath(), PosixFilePermissions.fromString("rwx------")); say(h.canExecute() + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(h.toPath())));
        h.setLastModified(1000000); say(h.lastModified() + " " + Files.getLastModifiedTime(h.toPath()));
        Files.setLastModifiedTime(h.toPath(), FileTime.fromMillis(5000)); say(h.lastModified());
        say(Files.deleteIfExists(h.toPath()) + " " + Files.deleteIfExists(h.toPath()));
        h.deleteOnExit();
        try (DirectoryStream<Path> d = Files.newDirectoryStream(dir, "*.txt")) { List<String> l = new ArrayList<>(); for (Path p : d) l.add(p.getFileName().toString()); Collections.sort(l); say(l); }
        Files.walkFileTree(dir, new SimpleFileVisitor<>() {
            public FileVisitResult visitFile(Path p, BasicFileAttributes at) throws IOException { Files.delete(p); return FileVisitResult.CONTINUE; }
            public FileVisitResult postVisitDirectory(Path p, IOException e) throws IOException { Files.delete(p); return FileVisitResult.CONTINUE; }
        });
        say(Files.exists(dir));
        try (PrintWriter w = new PrintWriter(new FileWriter("/dev/null"))) { w.println("x"); say(w.checkError()); }
    }
}
