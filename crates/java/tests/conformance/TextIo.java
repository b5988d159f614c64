import java.io.*;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/** Readers, writers and streams in memory: buffering, marks, pushing back, pipes, closing, errors. */
public class TextIo {
    static class Failing extends InputStream {
        int left = 3;

        @Override
        public int read() throws IOException {
            if (left-- <= 0) throw new IOException("worn out");
            return 'x';
        }

        @Override
        public void close() throws IOException {
            throw new IOException("cannot close");
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader r = new BufferedReader(new StringReader("first\nsecond\r\nthird\rfourth"), 4);
        System.out.println(r.readLine() + " " + (char) r.read() + " " + r.readLine() + " " + r.ready());
        r.mark(40);
        System.out.println(r.readLine() + " " + r.readLine() + " " + r.readLine());
        r.reset();
        System.out.println(r.lines().toList());
        LineNumberReader numbered = new LineNumberReader(new StringReader("a\nb\nc"));
        while (numbered.readLine() != null) { }
        System.out.println(numbered.getLineNumber());
        StringWriter text = new StringWriter();
        try (PrintWriter p = new PrintWriter(text)) {
            p.printf("%d-%s", 1, "x");
            p.print('c');
            p.print(2.5);
            p.println(new char[] {'o', 'k'});
            p.append("app", 1, 3).write("written", 0, 4);
            System.out.println(p.checkError());
        }
        System.out.println(text.toString().replace(System.lineSeparator(), "/") + " " + text.getBuffer().length());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer w = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
            w.write("é€\uD83D\uDE00");
        }
        System.out.println(bytes.size() + " " + new InputStreamReader(new ByteArrayInputStream(bytes.toByteArray()), StandardCharsets.UTF_8).read(CharBuffer.allocate(10)) + " " + bytes.toString(StandardCharsets.UTF_8).length());
        PrintStream ps = new PrintStream(bytes, true, "ISO-8859-1");
        bytes.reset();
        ps.print("é€");
        ps.println(7L);
        System.out.println(java.util.Arrays.toString(bytes.toByteArray()));
        PushbackReader push = new PushbackReader(new StringReader("12+3"), 2);
        int value = 0, c;
        while (Character.isDigit(c = push.read())) value = value * 10 + c - '0';
        push.unread(c);
        System.out.println(value + " " + (char) push.read() + push.skip(5) + push.read());
        SequenceInputStream sequence = new SequenceInputStream(new ByteArrayInputStream("ab".getBytes()), new ByteArrayInputStream("cd".getBytes()));
        System.out.println(new String(sequence.readAllBytes()) + " " + new ByteArrayInputStream(new byte[10]).skip(20) + " " + new ByteArrayInputStream(new byte[] {-1}).read());
        StreamTokenizer tokens = new StreamTokenizer(new StringReader("x = 3.5 * (y - 2) // no\n'quoted'"));
        tokens.slashSlashComments(true);
        StringBuilder kinds = new StringBuilder();
        while (tokens.nextToken() != StreamTokenizer.TT_EOF) kinds.append(tokens.ttype == StreamTokenizer.TT_NUMBER ? "" + tokens.nval : tokens.sval != null ? tokens.sval : "" + (char) tokens.ttype).append(' ');
        System.out.println(kinds);
        PipedWriter out = new PipedWriter();
        PipedReader in = new PipedReader(out, 3);
        Thread writer = new Thread(() -> {
            try (out) {
                out.write("through a pipe");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();
        System.out.println(new BufferedReader(in).readLine());
        writer.join();
        try (Failing f = new Failing()) {
            f.readAllBytes();
        } catch (IOException e) {
            System.out.println(e.getMessage() + " " + e.getSuppressed()[0].getMessage());
        }
        r.close();
        try {
            r.readLine();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new CharArrayReader("chars".toCharArray()).skip(2) + " " + Reader.nullReader().read() + " " + new StringReader("transfer").transferTo(Writer.nullWriter()) + " " + new BufferedInputStream(new ByteArrayInputStream(new byte[5])).available());
        PrintStream old = System.out;
        System.setOut(new PrintStream(bytes, true));
        System.out.println("captured");
        System.setOut(old);
        System.out.println(bytes.toString().endsWith("captured" + System.lineSeparator()));
    }
}
