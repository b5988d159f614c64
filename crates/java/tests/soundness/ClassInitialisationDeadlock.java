/** Two classes need each other while they are initialised. */
public class ClassInitialisationDeadlock {
    static class Left {
        static int value = 1;
        static int other = Right.value;
    }

    static class Right {
        static int value = 2;
        static int other = Left.value;
    }

    static int sum;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> sum = Left.other);
        t.start();
        int right = Right.other;
        t.join();
        assert right <= 1;
    }
}
