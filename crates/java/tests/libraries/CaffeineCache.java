import com.github.benmanes.caffeine.cache.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Caffeine: bounded caches, loading, removal listeners, statistics, expiry by a ticker, asynchronous loading. */
public class CaffeineCache {
    public static void main(String[] args) throws Exception {
        List<String> removed = new ArrayList<>();
        Cache<String, Integer> manual = Caffeine.newBuilder().executor(Runnable::run).maximumSize(3).recordStats()
                .removalListener((String k, Integer v, RemovalCause c) -> removed.add(k + "=" + v + " " + c)).build();
        for (int i = 0; i < 3; i++) manual.put("k" + i, i);
        System.out.println(manual.getIfPresent("k0") + " " + manual.getIfPresent("none") + " " + manual.get("k1", k -> 99) + " " + manual.get("computed", String::length) + " " + manual.asMap().containsKey("computed"));
        manual.cleanUp();
        System.out.println(manual.estimatedSize() + " " + removed.size() + " " + manual.stats().hitCount() + " " + manual.stats().missCount() + " " + manual.stats().evictionCount());
        removed.clear();
        manual.invalidateAll();
        manual.cleanUp();
        System.out.println(manual.estimatedSize() + " " + removed.size() + " " + removed.stream().allMatch(s -> s.endsWith("EXPLICIT")));
        removed.clear();
        manual.put("a", 1);
        manual.put("a", 2);
        manual.invalidate("a");
        System.out.println(removed);
        AtomicInteger loads = new AtomicInteger();
        LoadingCache<Integer, Integer> squares = Caffeine.newBuilder().executor(Runnable::run).build(n -> {
            loads.incrementAndGet();
            if (n < 0) throw new IllegalArgumentException("negative");
            return n == 0 ? null : n * n;
        });
        System.out.println(squares.get(5) + " " + squares.get(5) + " " + squares.get(0) + " " + new TreeMap<>(squares.getAll(List.of(2, 3, 5))) + " " + loads);
        try {
            squares.get(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        squares.put(5, 0);
        squares.refresh(5);
        System.out.println(squares.get(5) + " " + squares.asMap().merge(2, 10, Integer::sum) + " " + squares.asMap().putIfAbsent(2, 7) + " " + squares.asMap().computeIfPresent(3, (k, v) -> null));
        AtomicLong time = new AtomicLong();
        Cache<String, String> expiring = Caffeine.newBuilder().executor(Runnable::run).ticker(time::get).expireAfterWrite(10, TimeUnit.SECONDS).expireAfterAccess(4, TimeUnit.SECONDS).build();
        expiring.put("x", "1");
        time.addAndGet(TimeUnit.SECONDS.toNanos(3));
        System.out.print(expiring.getIfPresent("x") + " ");
        time.addAndGet(TimeUnit.SECONDS.toNanos(3));
        System.out.print(expiring.getIfPresent("x") + " ");
        time.addAndGet(TimeUnit.SECONDS.toNanos(5));
        System.out.println(expiring.getIfPresent("x"));
        Cache<String, String> weighted = Caffeine.newBuilder().executor(Runnable::run).maximumWeight(10).weigher((String k, String v) -> v.length()).build();
        weighted.put("heavy", "x".repeat(50));
        weighted.cleanUp();
        weighted.put("light", "xx");
        weighted.cleanUp();
        System.out.println(weighted.asMap() + " " + weighted.policy().eviction().get().weightedSize().getAsLong() + " " + weighted.policy().eviction().get().getMaximum());
        AsyncLoadingCache<String, Integer> async = Caffeine.newBuilder().executor(Runnable::run).buildAsync(String::length);
        System.out.println(async.get("four").get() + " " + async.getAll(List.of("a", "bb")).get().values().stream().mapToInt(v -> v).sum() + " " + async.synchronous().getIfPresent("bb"));
        Cache<Integer, Integer> shared = Caffeine.newBuilder().executor(Runnable::run).maximumSize(1000).build();
        AtomicInteger computed = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 100; i++) shared.get(i, k -> {
                    computed.incrementAndGet();
                    return k * 2;
                });
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(shared.estimatedSize() + " " + computed + " " + shared.asMap().values().stream().mapToInt(v -> v).sum());
    }
}
