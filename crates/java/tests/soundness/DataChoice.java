import sojourner.Verify;

/** Every value is tried. */
public class DataChoice {
    static int number;
    static boolean flag;

    public static void main(String[] args) {
        number = Verify.choose(0, 2);
        flag = Verify.choose();
        Verify.assume(number != 1 || flag);
        assert number >= 0 && number <= 2;
    }
}
