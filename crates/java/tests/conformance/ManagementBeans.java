import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The platform's bean server, deadlocks that a program looks for itself, and the name of the system. */
public class ManagementBeans {
    public interface GaugeMBean {
        int getLevel();

        void setLevel(int level);

        int doubled();
    }

    public static class Gauge implements GaugeMBean {
        private int level = 7;

        public int getLevel() {
            return level;
        }

        public void setLevel(int level) {
            this.level = level;
        }

        public int doubled() {
            return 2 * level;
        }
    }

    public static void main(String[] args) throws Exception {
        beans();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        System.out.println("before: " + names(threads.findDeadlockedThreads()));
        monitors();
        locks();
        System.out.println("monitors: " + names(threads.findMonitorDeadlockedThreads()));
        System.out.println("all: " + names(threads.findDeadlockedThreads()));
        System.out.println("host: " + (InetAddress.getLocalHost().getHostName() != null));
    }

    private static void beans() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("sojourner:type=Gauge");
        server.registerMBean(new Gauge(), name);
        System.out.println(server.getAttribute(name, "Level"));
        server.setAttribute(name, new javax.management.Attribute("Level", 8));
        System.out.println(server.invoke(name, "doubled", null, null));
        server.unregisterMBean(name);
        try {
            server.getAttribute(name, "Level");
        } catch (InstanceNotFoundException e) {
            System.out.println("gone: " + e.getMessage());
        }
        System.out.println(server.isRegistered(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME)));
    }

    private static void monitors() {
        Object a = new Object();
        Object b = new Object();
        CountDownLatch both = new CountDownLatch(2);
        stuck("monitor-1", () -> nested(a, b, both));
        stuck("monitor-2", () -> nested(b, a, both));
        await("monitor-1", Thread.State.BLOCKED);
        await("monitor-2", Thread.State.BLOCKED);
    }

    private static void nested(Object first, Object second, CountDownLatch both) {
        synchronized (first) {
            meet(both);
            synchronized (second) {
                System.out.println("never");
            }
        }
    }

    private static void locks() {
        ReentrantLock a = new ReentrantLock();
        ReentrantLock b = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        stuck("lock-1", () -> nested(a, b, both));
        stuck("lock-2", () -> nested(b, a, both));
        while (!a.hasQueuedThreads() || !b.hasQueuedThreads()) {
            Thread.yield();
        }
        await("lock-1", Thread.State.WAITING);
        await("lock-2", Thread.State.WAITING);
    }

    private static void nested(Lock first, Lock second, CountDownLatch both) {
        first.lock();
        meet(both);
        second.lock();
        System.out.println("never");
    }

    private static void meet(CountDownLatch both) {
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stuck(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void await(String name, Thread.State state) {
        while (find(name).getState() != state) {
            Thread.yield();
        }
    }

    private static Thread find(String name) {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals(name)) {
                return thread;
            }
        }
        throw new IllegalStateException(name);
    }

    private static String names(long[] ids) {
        if (ids == null) {
            return "none";
        }
        String[] names = new String[ids.length];
        for (int i = 0; i < ids.length; i++) {
            long id = ids[i];
            names[i] = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getId() == id).findFirst().orElseThrow().getName();
        }
        Arrays.sort(names);
        return String.join(" ", names);
    }
}
