import com.google.common.base.Suppliers;
import com.google.common.cache.*;
import com.google.common.eventbus.*;
import com.google.common.util.concurrent.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Guava: caches, listenable futures, executors, event bus, monitors, memoising suppliers, striped locks. */
public class GuavaConcurrent {
    static class Listener {
        final List<String> seen = new ArrayList<>();

        @Subscribe
        public void text(String s) {
            seen.add("text " + s);
        }

        @Subscribe
        public void number(Integer n) {
            seen.add("number " + n);
        }

        @Subscribe
        public void dead(DeadEvent e) {
            seen.add("dead " + e.getEvent());
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> removed = new ArrayList<>();
        LoadingCache<String, Integer> cache = CacheBuilder.newBuilder().maximumSize(2).concurrencyLevel(1).recordStats()
                .removalListener((RemovalNotification<String, Integer> n) -> removed.add(n.getKey() + " " + n.getCause()))
                .build(CacheLoader.from((String s) -> {
                    if (s.isEmpty()) throw new IllegalArgumentException("empty");
                    return s.length();
                }));
        System.out.println(cache.get("a") + " " + cache.get("bb") + " " + cache.get("a") + " " + cache.get("ccc") + " " + cache.getIfPresent("bb") + " " + cache.size());
        cache.invalidate("a");
        cache.put("ccc", 33);
        cache.cleanUp();
        System.out.println(removed + " " + cache.asMap() + " " + cache.stats().hitCount() + " " + cache.stats().missCount() + " " + cache.stats().evictionCount());
        try {
            cache.getUnchecked("");
        } catch (UncheckedExecutionException e) {
            System.out.println(e.getCause());
        }
        ListeningExecutorService pool = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(2));
        ListenableFuture<Integer> one = pool.submit(() -> 20), two = pool.submit(() -> 22);
        ListenableFuture<Integer> sum = Futures.transform(Futures.allAsList(one, two), l -> l.get(0) + l.get(1), MoreExecutors.directExecutor());
        System.out.println(sum.get());
        ListenableFuture<String> failing = pool.submit(() -> {
            throw new IllegalStateException("task");
        });
        System.out.println(Futures.catching(failing, IllegalStateException.class, e -> "caught " + e.getMessage(), MoreExecutors.directExecutor()).get());
        SettableFuture<String> settable = SettableFuture.create();
        AtomicInteger called = new AtomicInteger();
        Futures.addCallback(settable, new FutureCallback<String>() {
            @Override
            public void onSuccess(String s) {
                called.addAndGet(s.length());
            }

            @Override
            public void onFailure(Throwable t) {
                called.set(-1);
            }
        }, MoreExecutors.directExecutor());
        System.out.println(settable.set("four") + " " + settable.set("again") + " " + called + " " + Futures.getUnchecked(settable) + " " + Futures.immediateFuture("now").get());
        System.out.println(Futures.whenAllSucceed(one, two).call(() -> Futures.getDone(one) * Futures.getDone(two), pool).get());
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.MINUTES) + " " + MoreExecutors.newDirectExecutorService().submit(() -> "direct").get());
        EventBus bus = new EventBus("bus");
        Listener listener = new Listener();
        bus.register(listener);
        bus.post("hello");
        bus.post(7);
        bus.post(2.5);
        bus.unregister(listener);
        bus.post("unheard");
        System.out.println(listener.seen);
        AtomicInteger computed = new AtomicInteger();
        com.google.common.base.Supplier<Integer> memo = Suppliers.memoize(computed::incrementAndGet);
        System.out.println(memo.get() + memo.get() + " " + computed);
        Monitor monitor = new Monitor();
        int[] turn = {0};
        Monitor.Guard odd = monitor.newGuard(() -> turn[0] % 2 == 1), even = monitor.newGuard(() -> turn[0] % 2 == 0);
        StringBuffer order = new StringBuffer();
        Thread a = new Thread(() -> play(monitor, even, turn, order, "even ")), b = new Thread(() -> play(monitor, odd, turn, order, "odd "));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(order);
        AtomicLongMap<String> counters = AtomicLongMap.create();
        counters.incrementAndGet("x");
        System.out.println(counters.addAndGet("x", 5) + " " + Striped.lock(4).size() + " " + new AtomicDouble(1.5).addAndGet(2));
    }

    static void play(Monitor monitor, Monitor.Guard guard, int[] turn, StringBuffer order, String word) {
        for (int i = 0; i < 3; i++) {
            monitor.enterWhenUninterruptibly(guard);
            try {
                order.append(word);
                turn[0]++;
            } finally {
                monitor.leave();
            }
        }
    }
}
