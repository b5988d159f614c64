import java.lang.ref.*;
import java.util.*;

/** WeakHashMap, IdentityHashMap and references to objects that stay reachable; explicit clearing and queueing. */
public class WeakAndIdentityMaps {
    public static void main(String[] args) throws Exception {
        String a = new String("key"), b = new String("key");
        IdentityHashMap<String, Integer> identity = new IdentityHashMap<>();
        identity.put(a, 1);
        identity.put(b, 2);
        System.out.println(identity.size() + " " + identity.get(a) + identity.get(b) + identity.get("key") + " " + identity.containsKey(a) + " " + identity.remove(a) + identity.size());
        System.out.println(identity.equals(Map.of("key", 2)) + " " + identity.entrySet().iterator().next());
        Set<Object> identities = Collections.newSetFromMap(new IdentityHashMap<>());
        System.out.println(identities.add(a) + " " + identities.add(b) + " " + identities.add(a) + " " + identities.size());
        IdentityHashMap<Object, Integer> grows = new IdentityHashMap<>(1);
        Object[] keys = new Object[100];
        for (int i = 0; i < keys.length; i++) grows.put(keys[i] = new Object(), i);
        int sum = 0;
        for (int i = 0; i < keys.length; i += 2) sum += grows.remove(keys[i]);
        for (int i = 1; i < keys.length; i += 2) sum += grows.get(keys[i]);
        System.out.println(grows.size() + " " + sum);
        WeakHashMap<Object, String> weak = new WeakHashMap<>();
        for (int i = 0; i < keys.length; i++) weak.put(keys[i], "v" + i);
        System.out.println(weak.size() + " " + weak.get(keys[42]) + " " + weak.remove(keys[42]) + " " + weak.containsKey(keys[42]) + " " + weak.size());
        weak.put(null, "null");
        System.out.println(weak.get(null));
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> w = new WeakReference<>(keys[0], queue);
        SoftReference<Object> s = new SoftReference<>(keys[1]);
        PhantomReference<Object> p = new PhantomReference<>(keys[2], queue);
        System.out.println((w.get() == keys[0]) + " " + (s.get() == keys[1]) + " " + p.get() + " " + w.refersTo(keys[0]) + p.refersTo(keys[2]) + p.refersTo(null));
        System.out.println(queue.poll());
        w.enqueue();
        System.out.println((queue.poll() == w) + " " + w.get() + " " + w.enqueue() + " " + queue.poll());
        s.clear();
        System.out.println(s.get() + " " + s.refersTo(null));
        p.enqueue();
        System.out.println((queue.remove() == p) + " " + queue.remove(1));
        Cleaner cleaner = Cleaner.create();
        StringBuilder log = new StringBuilder();
        Cleaner.Cleanable c = cleaner.register(keys[3], () -> log.append("cleaned"));
        c.clean();
        c.clean();
        System.out.println(log);
        Reference.reachabilityFence(keys);
        System.out.println(System.identityHashCode(keys[0]) == keys[0].hashCode() ? "stable" : "unstable");
        System.out.println(System.identityHashCode(null) + " " + (System.identityHashCode(a) == System.identityHashCode(a)) + " " + (a.hashCode() == b.hashCode()));
    }
}
