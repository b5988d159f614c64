/** A thread inherits what a thread-local variable of its parent refers to: one object in two threads. */
public class PublishedByInheritance {
    static int result;

    public static void main(String[] args) throws Exception {
        InheritableThreadLocal<int[]> local = new InheritableThreadLocal<>();
        local.set(new int[1]);
        Thread t = new Thread(() -> local.get()[0]++);
        int[] own = local.get();
        t.start();
        own[0]++;
        t.join();
        result = own[0];
        assert result == 2;
    }
}
