//! clean
//! found assertion broken
// A constructor starts a thread before it has set its fields.
public class PublishThis {
    volatile int value;

    PublishThis(boolean broken) {
        Thread reader = new Thread(() -> { assert value == 1; });
        if (broken) reader.start();
        value = 1;
        if (!broken) reader.start();
    }

    public static void main(String[] args) {
        new PublishThis(args.length > 0);
    }
}
