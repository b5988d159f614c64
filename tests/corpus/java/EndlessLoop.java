//! clean
//! found hang broken
// A loop without an end that no other thread can see.
public class EndlessLoop {
    public static void main(String[] args) {
        boolean broken = args.length > 0;
        new Thread(() -> { }).start();
        int i = 0;
        while (broken || i < 3) i = (i + 1) & 3;
    }
}
