import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Phasers: registration, phases, onAdvance, deregistration, termination, tiers. */
public class Phasers {
    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(1) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                System.out.println("advance from " + phase + " with " + parties);
                return phase >= 3 || parties == 0;
            }
        };
        int[] work = new int[3];
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            phaser.register();
            threads[i] = new Thread(() -> {
                for (int phase = 0; phase <= me; phase++) {
                    work[me] += phase + 1;
                    if (phase == me) {
                        phaser.arriveAndDeregister();
                    } else {
                        phaser.arriveAndAwaitAdvance();
                    }
                }
            });
        }
        System.out.println(phaser.getRegisteredParties() + " " + phaser.getPhase() + " " + phaser.getUnarrivedParties());
        for (Thread t : threads) t.start();
        for (int p = 0; p < 3; p++) {
            int next = phaser.arriveAndAwaitAdvance();
            System.out.println("main in phase " + next);
        }
        for (Thread t : threads) t.join();
        System.out.println(work[0] + " " + work[1] + " " + work[2]);
        System.out.println(phaser.arriveAndAwaitAdvance() < 0 ? "terminated" : "going on");
        System.out.println(phaser.isTerminated() + " " + (phaser.register() < 0) + " " + (phaser.arrive() < 0));

        Phaser timed = new Phaser(2);
        System.out.println(timed.arrive() + " " + timed.getArrivedParties());
        try {
            timed.awaitAdvanceInterruptibly(0, 1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timed out in phase " + timed.getPhase());
        }
        timed.arrive();
        System.out.println(timed.awaitAdvance(0) + " " + timed.awaitAdvance(5));
        timed.forceTermination();
        System.out.println(timed.isTerminated() + " " + timed.awaitAdvance(1) / Integer.MIN_VALUE);

        Phaser root = new Phaser();
        Phaser left = new Phaser(root, 2);
        Phaser right = new Phaser(root, 1);
        System.out.println(root.getRegisteredParties() + " " + left.getParent().equals(root) + " " + right.getRoot().equals(root));
        left.arrive();
        left.arrive();
        System.out.println(root.getPhase() + " " + root.getArrivedParties());
        right.arrive();
        System.out.println(root.getPhase() + " " + left.getPhase() + " " + right.getPhase());
        left.arriveAndDeregister();
        left.arriveAndDeregister();
        System.out.println(root.getRegisteredParties() + " " + root.bulkRegister(4) + " " + root.getUnarrivedParties());
        try {
            new Phaser().arrive();
        } catch (IllegalStateException e) {
            System.out.println("arrival of an unregistered party");
        }
    }
}
