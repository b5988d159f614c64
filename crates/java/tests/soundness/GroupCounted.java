/** The threads of a group are counted and listed while one of them ends. */
public class GroupCounted {
    static int counted, listed;

    public static void main(String[] args) throws Exception {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread other = new Thread(() -> { });
        other.start();
        counted = group.activeCount();
        listed = group.enumerate(new Thread[4]);
        assert listed <= counted;
        other.join();
        assert Thread.activeCount() == 1;
    }
}
