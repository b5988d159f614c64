/** A daemon group is destroyed with its last thread, and takes no more threads then. */
public class GroupDestroyed {
    static String made, started;

    public static void main(String[] args) throws Exception {
        ThreadGroup group = new ThreadGroup("group");
        group.setDaemon(true);
        Thread first = new Thread(group, () -> { });
        assert !group.isDestroyed();
        first.start();
        try {
            Thread second = new Thread(group, () -> { });
            made = "yes";
            second.start();
            started = "yes";
            second.join();
        } catch (IllegalThreadStateException e) {
            if (made == null) {
                made = "no";
            }
            started = "no";
        }
        first.join();
        assert started.equals(made);
        assert group.isDestroyed();
        assert group.activeCount() == 0;
    }
}
