//! found exception
//! clean shallow
// A recursion without end in a thread overflows its stack.
public class StackOverflowInThread {
    static int depth(int left) {
        return left == 0 ? 0 : depth(left - 1) + 1;
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> depth(args.length > 0 ? 10 : -1));
        thread.start();
        thread.join();
    }
}
