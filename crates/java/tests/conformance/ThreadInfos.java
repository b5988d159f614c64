import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What threads are doing, as a bean describes it: who waits for what, and who has it. */
public class ThreadInfos {
    static final Object MONITOR = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();

    static Thread start(String name, Thread.State state, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != state) {
            Thread.sleep(1);
        }
        return thread;
    }

    static void tell(ThreadInfo info) {
        String lock = info.getLockInfo() == null ? "nothing" : info.getLockInfo().getClassName();
        System.out.println(info.getThreadName() + " " + info.getThreadState() + " on " + lock + " of " + info.getLockOwnerName());
    }

    static void waits() {
        synchronized (MONITOR) {
            try {
                MONITOR.wait();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread waiting = start("waiting", Thread.State.WAITING, ThreadInfos::waits);
        tell(BEAN.getThreadInfo(waiting.getId()));
        synchronized (MONITOR) {
            Thread entering = start("entering", Thread.State.BLOCKED, ThreadInfos::waits);
            tell(BEAN.getThreadInfo(entering.getId()));
        }
        LOCK.lock();
        Thread locking = start("locking", Thread.State.WAITING, () -> LOCK.lock());
        tell(BEAN.getThreadInfo(locking.getId()));
        LOCK.unlock();
        locking.join();
        Thread parked = start("parked", Thread.State.WAITING, () -> LockSupport.park(MONITOR));
        Thread asleep = start("asleep", Thread.State.TIMED_WAITING, () -> LockSupport.parkNanos(Long.MAX_VALUE / 4));
        for (ThreadInfo info : BEAN.getThreadInfo(new long[] {parked.getId(), asleep.getId(), locking.getId()})) {
            System.out.println(info == null ? "none" : info.getThreadName() + ", " + info.getStackTrace().length + " frames");
        }
        ThreadInfo whole = BEAN.getThreadInfo(waiting.getId(), Integer.MAX_VALUE);
        StackTraceElement[] frames = whole.getStackTrace();
        System.out.println(frames[0].getMethodName() + " " + frames[2].getMethodName() + " " + BEAN.getThreadInfo(waiting.getId(), 1).getStackTrace().length);
        int known = 0;
        for (ThreadInfo info : BEAN.dumpAllThreads(false, false)) {
            switch (info.getThreadName()) {
                case "main", "waiting", "entering", "parked", "asleep" -> known++;
                default -> { }
            }
        }
        System.out.println(known);
    }
}
