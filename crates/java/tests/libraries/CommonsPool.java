import java.util.*;
import org.apache.commons.pool.*;
import org.apache.commons.pool.impl.*;

/** Commons Pool 1.6: borrowing, returning, validation, exhaustion, keyed pools, waiting threads. */
public class CommonsPool {
    static class Factory extends BasePoolableObjectFactory<StringBuilder> {
        int made, destroyed;
        final StringBuffer log = new StringBuffer();

        @Override
        public StringBuilder makeObject() {
            log.append("make ");
            return new StringBuilder("o" + made++);
        }

        @Override
        public void passivateObject(StringBuilder b) {
            log.append("passivate ");
        }

        @Override
        public void activateObject(StringBuilder b) {
            log.append("activate ");
        }

        @Override
        public boolean validateObject(StringBuilder b) {
            log.append("validate ");
            return b.indexOf("bad") < 0;
        }

        @Override
        public void destroyObject(StringBuilder b) {
            destroyed++;
            log.append("destroy ");
        }
    }

    public static void main(String[] args) throws Exception {
        Factory factory = new Factory();
        GenericObjectPool<StringBuilder> pool = new GenericObjectPool<>(factory, 2);
        pool.setTestOnBorrow(true);
        StringBuilder a = pool.borrowObject(), b = pool.borrowObject();
        System.out.println(a + " " + b + " " + pool.getNumActive() + " " + pool.getNumIdle());
        pool.setWhenExhaustedAction(GenericObjectPool.WHEN_EXHAUSTED_FAIL);
        try {
            pool.borrowObject();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        pool.setWhenExhaustedAction(GenericObjectPool.WHEN_EXHAUSTED_BLOCK);
        pool.setMaxWait(5);
        try {
            pool.borrowObject();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        a.append("bad");
        pool.returnObject(a);
        pool.invalidateObject(b);
        System.out.println(pool.getNumActive() + " " + pool.getNumIdle() + " " + pool.borrowObject() + " " + factory.made + " " + factory.destroyed);
        System.out.println(factory.log);
        pool.setMaxWait(0);
        pool.clear();
        GenericObjectPool<StringBuilder> shared = new GenericObjectPool<>(new Factory(), 2);
        int[] uses = new int[1];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            threads[i] = new Thread(() -> {
                try {
                    for (int n = 0; n < 25; n++) {
                        StringBuilder s = shared.borrowObject();
                        synchronized (uses) {
                            uses[0]++;
                        }
                        Thread.yield();
                        shared.returnObject(s);
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(uses[0] + " " + shared.getNumActive() + " " + (shared.getNumIdle() <= 2));
        shared.close();
        try {
            shared.borrowObject();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        KeyedObjectPool<String, String> keyed = new GenericKeyedObjectPool<>(new BaseKeyedPoolableObjectFactory<String, String>() {
            int n;

            @Override
            public String makeObject(String key) {
                return key + n++;
            }
        });
        String x = keyed.borrowObject("x"), y = keyed.borrowObject("y");
        keyed.returnObject("x", x);
        System.out.println(x + " " + y + " " + keyed.borrowObject("x") + " " + keyed.getNumActive("y") + " " + keyed.getNumActive());
        ObjectPool<String> stack = new StackObjectPool<>(new BasePoolableObjectFactory<String>() {
            @Override
            public String makeObject() {
                return "stacked";
            }
        }, 3);
        stack.addObject();
        System.out.println(stack.getNumIdle() + " " + stack.borrowObject() + " " + PoolUtils.synchronizedPool(stack).getNumActive());
        keyed.close();
        stack.close();
    }
}
