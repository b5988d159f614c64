package sojourner;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Standard output and standard error while a program is explored: a log beside the state of the program. It has no
 * buffer and takes no lock, so that programs which print have no more states than programs which do not.
 */
final class Output extends PrintStream {
    private final boolean error;

    Output(boolean error) {
        super(OutputStream.nullOutputStream());
        this.error = error;
    }

    /** Appends to the log. */
    private static native void emit(boolean error, String text);

    @Override
    public void print(boolean value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(char value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(int value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(long value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(float value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(double value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(char[] value) {
        emit(error, new String(value));
    }

    @Override
    public void print(String value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void print(Object value) {
        emit(error, String.valueOf(value));
    }

    @Override
    public void println() {
        emit(error, "\n");
    }

    @Override
    public void println(boolean value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(char value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(int value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(long value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(float value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(double value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(char[] value) {
        emit(error, new String(value) + "\n");
    }

    @Override
    public void println(String value) {
        emit(error, value + "\n");
    }

    @Override
    public void println(Object value) {
        emit(error, String.valueOf(value) + "\n");
    }

    @Override
    public PrintStream format(String format, Object... arguments) {
        emit(error, String.format(format, arguments));
        return this;
    }

    @Override
    public PrintStream format(Locale locale, String format, Object... arguments) {
        emit(error, String.format(locale, format, arguments));
        return this;
    }

    @Override
    public PrintStream append(CharSequence text) {
        emit(error, String.valueOf(text));
        return this;
    }

    @Override
    public PrintStream append(CharSequence text, int start, int end) {
        emit(error, String.valueOf(text).substring(start, end));
        return this;
    }

    @Override
    public PrintStream append(char value) {
        emit(error, String.valueOf(value));
        return this;
    }

    @Override
    public void write(int value) {
        emit(error, new String(new byte[] {(byte) value}));
    }

    @Override
    public void write(byte[] bytes, int start, int length) {
        emit(error, new String(bytes, start, length));
    }

    @Override
    public void flush() {
    }

    @Override
    public void close() {
    }

    @Override
    public boolean checkError() {
        return false;
    }
}
