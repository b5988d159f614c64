/** Each thread has its own copy. */
public class ThreadLocalData {
    static int ours;
    static int theirs;

    public static void main(String[] args) throws Exception {
        ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
        Thread t = new Thread(() -> {
            local.get()[0] += 1;
            theirs = local.get()[0];
        });
        t.start();
        local.get()[0] += 2;
        ours = local.get()[0];
        t.join();
        assert ours == 2 && theirs == 1;
    }
}
