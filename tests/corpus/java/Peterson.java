//! clean
//! found assertion broken
// Peterson's algorithm on volatile fields.
public class Peterson {
    static volatile boolean flag0, flag1;
    static volatile int turn, inside;

    public static void main(String[] args) {
        boolean broken = args.length > 0;
        new Thread(() -> {
            if (broken) { turn = 1; flag0 = true; } else { flag0 = true; turn = 1; }
            while (flag1 && turn == 1) { }
            assert ++inside == 1;
            inside--;
            flag0 = false;
        }).start();
        new Thread(() -> {
            if (broken) { turn = 0; flag1 = true; } else { flag1 = true; turn = 0; }
            while (flag0 && turn == 0) { }
            assert ++inside == 1;
            inside--;
            flag1 = false;
        }).start();
    }
}
