//! clean
//! found assertion|exception broken
// StringBuffer is synchronized, StringBuilder is not.
public class StringBufferAppend {
    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        StringBuffer safe = new StringBuffer();
        StringBuilder plain = new StringBuilder();
        Runnable add = () -> { if (broken) plain.append('x'); else safe.append('x'); };
        Thread a = new Thread(add), b = new Thread(add);
        a.start(); b.start(); a.join(); b.join();
        assert (broken ? plain.length() : safe.length()) == 2;
    }
}
