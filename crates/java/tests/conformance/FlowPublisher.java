import java.util.concurrent.*;
import java.util.concurrent.Flow.*;
import java.util.function.Function;

/** SubmissionPublisher: demand, a processor in the middle, back-pressure, errors, completion. */
public class FlowPublisher {
    static class Collect<T> implements Subscriber<T> {
        final StringBuilder seen = new StringBuilder();
        final CountDownLatch done = new CountDownLatch(1);
        final long batch;
        Subscription subscription;

        Collect(long batch) {
            this.batch = batch;
        }

        @Override
        public void onSubscribe(Subscription s) {
            subscription = s;
            seen.append("subscribed ");
            s.request(batch);
        }

        @Override
        public void onNext(T item) {
            seen.append(item).append(' ');
            if ("stop".equals(item)) {
                subscription.cancel();
                done.countDown();
            } else if ("fail".equals(item)) {
                throw new IllegalStateException("subscriber");
            }
            subscription.request(1);
        }

        @Override
        public void onError(Throwable t) {
            seen.append(t);
            done.countDown();
        }

        @Override
        public void onComplete() {
            seen.append("complete");
            done.countDown();
        }

        void show() throws InterruptedException {
            done.await();
            System.out.println(seen);
        }
    }

    static class Map<A, B> extends SubmissionPublisher<B> implements Processor<A, B> {
        final Function<A, B> f;
        Subscription subscription;

        Map(Executor executor, Function<A, B> f) {
            super(executor, 4);
            this.f = f;
        }

        @Override
        public void onSubscribe(Subscription s) {
            subscription = s;
            s.request(1);
        }

        @Override
        public void onNext(A item) {
            submit(f.apply(item));
            subscription.request(1);
        }

        @Override
        public void onError(Throwable t) {
            closeExceptionally(t);
        }

        @Override
        public void onComplete() {
            close();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        SubmissionPublisher<Integer> numbers = new SubmissionPublisher<>(pool, 2);
        Collect<Integer> direct = new Collect<>(1), eager = new Collect<>(Long.MAX_VALUE);
        Collect<String> mapped = new Collect<>(2);
        Map<Integer, String> map = new Map<>(pool, n -> "<" + n * n + ">");
        map.subscribe(mapped);
        numbers.subscribe(direct);
        numbers.subscribe(eager);
        numbers.subscribe(map);
        System.out.println(numbers.getNumberOfSubscribers() + " " + numbers.hasSubscribers() + " " + numbers.getMaxBufferCapacity());
        for (int i = 1; i <= 8; i++) numbers.submit(i);
        numbers.close();
        direct.show();
        eager.show();
        mapped.show();
        SubmissionPublisher<String> texts = new SubmissionPublisher<>(pool, 16);
        Collect<String> stops = new Collect<>(5), fails = new Collect<>(5), errs = new Collect<>(5);
        texts.subscribe(stops);
        for (String s : "a b stop c".split(" ")) texts.submit(s);
        stops.show();
        texts.subscribe(fails);
        for (String s : "d fail e".split(" ")) texts.submit(s);
        fails.show();
        texts.subscribe(errs);
        texts.closeExceptionally(new java.io.IOException("closed"));
        errs.show();
        try {
            texts.submit("late");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + texts.isClosed() + " " + texts.getClosedException());
        }
        Collect<String> after = new Collect<>(1);
        texts.subscribe(after);
        after.show();
        SubmissionPublisher<Integer> summed = new SubmissionPublisher<>(pool, 4);
        int[] total = new int[1];
        CompletableFuture<Void> consumed = summed.consume(n -> total[0] += n);
        for (int i = 0; i < 10; i++) summed.submit(i);
        summed.close();
        consumed.get();
        System.out.println(total[0]);
        pool.shutdown();
    }
}
