//! clean
//! found assertion broken
// A value that is left open, and an assumption.
import sojourner.Verify;

public class VerifyChoose {
    public static void main(String[] args) {
        int a = Verify.choose(1, 6), b = Verify.choose(1, 6);
        Verify.assume(a != b);
        assert args.length > 0 ? a + b != 11 : a + b < 12;
    }
}
