package sojourner;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Data choices, assumptions and atomic sections for programs that Sojourner checks.
 *
 * <p>Under Sojourner each choice stands for all of its values, an execution whose assumptions fail is not looked at any
 * further, and a thread in an atomic section is not interrupted by others. On an ordinary JVM choices are made at
 * random, assumptions that fail end the program, and atomic sections do nothing.
 */
public final class Verify {
    private Verify() {
    }

    /** A number from {@code low} to {@code high}, both included. Both ends together have at most 2^31 - 1 numbers. */
    public static int choose(int low, int high) {
        if (low > high) {
            throw new IllegalArgumentException("there is no number from " + low + " to " + high);
        }
        return low + pick(Math.addExact(Math.subtractExact(high, low), 1));
    }

    /** False or true. */
    public static boolean choose() {
        return pick(2) != 0;
    }

    /** One of the values. */
    @SafeVarargs
    public static <T> T choose(T... values) {
        return values[pick(values.length)];
    }

    /** One of the numbers. */
    public static int chooseFrom(int... values) {
        return values[pick(values.length)];
    }

    /** Goes on only with executions in which the condition holds. */
    public static void assume(boolean condition) {
        ignoreIf(!condition);
    }

    /** Goes on only with executions in which the condition does not hold. */
    public static void ignoreIf(boolean condition) {
        if (condition) {
            System.err.println("an assumption of the program does not hold in this execution");
            Runtime.getRuntime().halt(0);
        }
    }

    /** From here on no other thread runs while this one can. Sections may be nested. */
    public static void beginAtomic() {
    }

    /** Ends the section that {@link #beginAtomic} began last. */
    public static void endAtomic() {
    }

    /** Whether Sojourner runs the program. */
    public static boolean isControlled() {
        return false;
    }

    /** A number below {@code count}: every choice comes from here. */
    private static int pick(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException("there is nothing to choose from");
        }
        return ThreadLocalRandom.current().nextInt(count);
    }
}
