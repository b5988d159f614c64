/** A thread waits on a group, and is notified when the last thread of the group has ended, not before. */
public class GroupIsEmpty {
    static int woken;

    public static void main(String[] args) throws Exception {
        ThreadGroup group = new ThreadGroup("group");
        Thread first = new Thread(group, () -> { });
        Thread second = new Thread(group, () -> { });
        first.start();
        second.start();
        synchronized (group) {
            if (group.activeCount() == 2) {
                group.wait();
                woken++;
            }
        }
        boolean destroyed;
        try {
            group.destroy();
            destroyed = true;
        } catch (IllegalThreadStateException e) {
            destroyed = false;
        }
        assert woken == 0 || destroyed;
    }
}
