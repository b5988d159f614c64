// args: {sources}/resources/data/lines.txt

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** Reading a file that is named by an argument: streams, readers, random access, java.nio.file, absent files. */
public class FilesRead {
    interface Body {
        Object run() throws IOException;
    }

    static void attempt(String what, Body b) {
        try {
            System.out.println(what + ": " + b.run());
        } catch (IOException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        File file = new File(args[0]);
        System.out.println(file.getName() + " " + file.exists() + " " + file.isFile() + file.isDirectory() + " " + file.length() + " " + file.getParentFile().getName() + " " + file.canRead());
        try (BufferedReader r = new BufferedReader(new InputStreamReader(new FileInputStream(file), StandardCharsets.UTF_8))) {
            System.out.println(r.lines().map(String::length).collect(Collectors.toList()));
        }
        try (FileReader r = new FileReader(file, StandardCharsets.UTF_8)) {
            char[] buffer = new char[5];
            System.out.println(r.read(buffer) + " " + new String(buffer));
        }
        try (FileInputStream in = new FileInputStream(file)) {
            System.out.println((char) in.read() + " " + in.skip(5) + " " + (char) in.read() + " " + in.available() + " " + in.readAllBytes().length + " " + in.read());
        }
        try (RandomAccessFile random = new RandomAccessFile(file, "r")) {
            random.seek(11);
            System.out.println(random.readLine().startsWith("second") + " " + random.getFilePointer() + " " + random.length() + " " + random.read());
        }
        Path path = Path.of(args[0]);
        System.out.println(Files.readString(path).hashCode() + " " + Files.readAllLines(path).size() + " " + Files.size(path) + " " + Files.exists(path) + Files.isRegularFile(path) + " " + path.getFileName() + " " + Files.readAllBytes(path)[0]);
        try (Stream<String> lines = Files.lines(path)) {
            System.out.println(lines.filter(l -> !l.isEmpty()).map(l -> l.split(" ")[0]).toList());
        }
        try (Scanner s = new Scanner(file, StandardCharsets.UTF_8)) {
            int words = 0;
            while (s.hasNext()) {
                s.next();
                words++;
            }
            System.out.println(words + " words");
        }
        try (BufferedReader r = Files.newBufferedReader(path); InputStream in = Files.newInputStream(path)) {
            System.out.println(r.readLine() + " " + in.read());
        }
        attempt("absent", () -> new FileInputStream("no-such-file.txt"));
        attempt("absent path", () -> Files.readString(Path.of("no-such-file.txt")));
        attempt("absent scanner", () -> new Scanner(new File("no-such-file.txt")));
        System.out.println(new File("no-such-file.txt").exists() + " " + new File("no-such-file.txt").length() + " " + Files.exists(Path.of("no-such-file.txt")) + " " + new File("a", "b/../c").getPath() + " " + new File("/x/./y/../z").getCanonicalPath() + " " + Path.of("/x/./y/../z").normalize());
        Path p = Path.of("/a/b/c.txt");
        System.out.println(p.getParent() + " " + p.getNameCount() + " " + p.getName(1) + " " + p.resolve("../d") + " " + p.resolveSibling("e") + " " + Path.of("/a").relativize(p) + " " + p.startsWith("/a") + p.endsWith("c.txt") + " " + p.isAbsolute() + " " + Path.of("x").isAbsolute() + " " + p.compareTo(Path.of("/a/b/d")));
        String[] names = file.getParentFile().list();
        Arrays.sort(names);
        System.out.println(Arrays.toString(names));
    }
}
