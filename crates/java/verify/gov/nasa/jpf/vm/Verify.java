package gov.nasa.jpf.vm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The part of Java PathFinder's class of this name that programs use, in terms of {@link sojourner.Verify}, so that
 * programs that were written for Java PathFinder run unchanged. Counters, sets of bits, numbers by name and attributes belong to
 * the execution, not to the search: where Java PathFinder goes back they keep their values, and here they go back as well. Each
 * operation on them is atomic.
 */
public class Verify {
    public static final int NO_VALUE = -1;

    /** Levels of {@link #log}. */
    public static final int SEVERE = 1;
    public static final int WARNING = 2;
    public static final int INFO = 3;
    public static final int FINE = 4;
    public static final int FINER = 5;
    public static final int FINEST = 6;

    private static int[] counters = new int[0];
    private static BitSet[] bitSets = new BitSet[0];
    private static Map<String, Integer> values;
    private static Map<Object, Map<String, int[]>> attributes;

    protected Verify() {
    }

    // Choices

    public static boolean getBoolean() {
        return sojourner.Verify.choose();
    }

    /** The first value that is tried is false, or true. */
    public static boolean getBoolean(boolean falseFirst) {
        return sojourner.Verify.choose() == falseFirst;
    }

    public static int getInt(int min, int max) {
        return min <= max ? sojourner.Verify.choose(min, max) : min - sojourner.Verify.choose(0, min - max);
    }

    public static int getIntFromList(int... values) {
        return values[first(values.length)];
    }

    public static int getIntFromSet(int... values) {
        return getIntFromList(values);
    }

    public static long getLongFromList(long... values) {
        return values[first(values.length)];
    }

    public static double getDoubleFromList(double... values) {
        return values[first(values.length)];
    }

    public static double getDoubleFromSet(double... values) {
        return getDoubleFromList(values);
    }

    public static float getFloatFromList(float... values) {
        return values[first(values.length)];
    }

    public static long getLong(long min, long max) {
        if (min > max) {
            throw new IllegalArgumentException("there is no number from " + min + " to " + max);
        }
        return min + first(Math.toIntExact(Math.addExact(Math.subtractExact(max, min), 1L)));
    }

    public static Object getObject(Object... values) {
        return values[first(values.length)];
    }

    /** Values of this name are said in the configuration of Java PathFinder, which is not read. */
    public static int getInt(String key) {
        throw configured(key);
    }

    public static double getDouble(String key) {
        throw configured(key);
    }

    public static Object getObject(String key) {
        throw configured(key);
    }

    private static UnsupportedOperationException configured(String key) {
        String why = "the values of '" + key + "' are in a configuration of Java PathFinder, which is not read";
        return new UnsupportedOperationException(why);
    }

    /** A value with {@code count} of its lowest {@code length} bits flipped, any of them. */
    public static long getBitFlip(long value, int count, int length) {
        int from = 0;
        for (int nth = 1; nth <= count; nth++) {
            int bit = sojourner.Verify.choose(from, length - 1 - (count - nth));
            value ^= 1L << bit;
            from = bit + 1;
        }
        return value;
    }

    public static long getBitFlip(long value, int count) {
        return getBitFlip(value, count, 64);
    }

    public static int getBitFlip(int value, int count) {
        return (int) getBitFlip((long) value, count, 32);
    }

    public static short getBitFlip(short value, int count) {
        return (short) getBitFlip((long) value, count, 16);
    }

    public static char getBitFlip(char value, int count) {
        return (char) getBitFlip((long) value, count, 16);
    }

    public static byte getBitFlip(byte value, int count) {
        return (byte) getBitFlip((long) value, count, 8);
    }

    /** A number from 0 to {@code max}, both included. */
    public static int random(int max) {
        return sojourner.Verify.choose(0, max);
    }

    public static boolean randomBool() {
        return sojourner.Verify.choose();
    }

    private static int first(int count) {
        return sojourner.Verify.choose(0, count - 1);
    }

    // Executions

    public static void ignoreIf(boolean condition) {
        sojourner.Verify.ignoreIf(condition);
    }

    public static void ignoreIf(String message, boolean condition) {
        sojourner.Verify.ignoreIf(condition);
    }

    public static void beginAtomic() {
        sojourner.Verify.beginAtomic();
    }

    public static void endAtomic() {
        sojourner.Verify.endAtomic();
    }

    public static boolean isRunningInJPF() {
        return sojourner.Verify.isControlled();
    }

    public static boolean vmIsMatchingStates() {
        return false;
    }

    public static void terminateSearch() {
        System.exit(0);
    }

    // Assertions

    public static void assertTrue(boolean condition) {
        if (!condition) {
            throw new AssertionError("Verify.assertTrue failed");
        }
    }

    public static void assertTrue(String message, boolean condition) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    // Hints to a search, which need none

    public static void interesting(boolean condition) {
    }

    public static void boring(boolean condition) {
    }

    public static void addComment(String comment) {
    }

    public static void atLabel(String label) {
    }

    public static void atLabel(int label) {
    }

    public static void instrumentPoint(String label) {
    }

    public static void instrumentPointDeep(String label) {
    }

    public static void instrumentPointDeepRecur(String label, int depth) {
    }

    public static void busyWait(long duration) {
    }

    public static boolean isTraceReplay() {
        return false;
    }

    public static void setHeuristicSearchValue(int value) {
    }

    public static void resetHeuristicSearchValue() {
    }

    public static void breakTransition(String reason) {
        Thread.yield();
    }

    public static int breakTransition(String reason, int min, int max) {
        return sojourner.Verify.choose(min, max);
    }

    public static void setShared(Object object, boolean isShared) {
    }

    public static void freezeSharedness(Object object, boolean freeze) {
    }

    public static void storeTrace(String fileName, String comment) {
    }

    public static void storeTraceIf(boolean condition, String fileName) {
    }

    public static void storeTraceIf(boolean condition, String fileName, String comment) {
    }

    public static void storeTraceAndTerminate(String fileName, String comment) {
        terminateSearch();
    }

    public static void storeTraceAndTerminateIf(boolean condition, String fileName, String comment) {
        if (condition) {
            terminateSearch();
        }
    }

    public static void setAnnotation(String annotation) {
    }

    // The environment

    public static long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    /** Properties of Java PathFinder are those of the program here. */
    public static String getProperty(String key) {
        return System.getProperty(key);
    }

    public static void setProperties(String... properties) {
        for (String property : properties) {
            int at = property.indexOf('=');
            System.setProperty(at < 0 ? property : property.substring(0, at), property.substring(at + 1));
        }
    }

    // Counters, and sets of bits

    public static synchronized int getCounter(int id) {
        return id < counters.length ? counters[id] : 0;
    }

    public static synchronized void resetCounter(int id) {
        setCounter(id, 0);
    }

    public static synchronized void setCounter(int id, int value) {
        if (id >= counters.length) {
            counters = Arrays.copyOf(counters, id + 1);
        }
        counters[id] = value;
    }

    public static synchronized int incrementCounter(int id) {
        setCounter(id, getCounter(id) + 1);
        return getCounter(id);
    }

    public static synchronized void setBitInBitSet(int id, int bit, boolean value) {
        if (id >= bitSets.length) {
            bitSets = Arrays.copyOf(bitSets, id + 1);
        }
        if (bitSets[id] == null) {
            bitSets[id] = new BitSet();
        }
        bitSets[id].set(bit, value);
    }

    public static synchronized boolean getBitInBitSet(int id, int bit) {
        return id < bitSets.length && bitSets[id] != null && bitSets[id].get(bit);
    }

    // Numbers by name

    public static synchronized void putValue(String key, int value) {
        if (values == null) {
            values = new HashMap<>();
        }
        values.put(key, value);
    }

    public static synchronized int getValue(String key) {
        Integer value = values == null ? null : values.get(key);
        return value == null ? NO_VALUE : value;
    }

    // Attributes: numbers that belong to objects, fields and elements, and that the program itself does not see. They stay where
    // they were put: values that are copied do not take them along, and local variables have none.

    public static synchronized void setObjectAttribute(Object object, int value) {
        attributesOf(object).put("", new int[] {value});
    }

    public static synchronized int getObjectAttribute(Object object) {
        return firstOf(getObjectAttributes(object));
    }

    public static synchronized void addObjectAttribute(Object object, int value) {
        attributesOf(object).merge("", new int[] {value}, Verify::both);
    }

    public static synchronized int[] getObjectAttributes(Object object) {
        return attributesOf(object).getOrDefault("", new int[0]);
    }

    public static synchronized void setFieldAttribute(Object object, String field, int value) {
        attributesOf(object).put(field, new int[] {value});
    }

    public static synchronized int getFieldAttribute(Object object, String field) {
        return firstOf(getFieldAttributes(object, field));
    }

    public static synchronized void addFieldAttribute(Object object, String field, int value) {
        attributesOf(object).merge(field, new int[] {value}, Verify::both);
    }

    public static synchronized int[] getFieldAttributes(Object object, String field) {
        return attributesOf(object).getOrDefault(field, new int[0]);
    }

    public static synchronized void setElementAttribute(Object array, int index, int value) {
        setFieldAttribute(array, "[" + index, value);
    }

    public static synchronized int getElementAttribute(Object array, int index) {
        return getFieldAttribute(array, "[" + index);
    }

    public static synchronized void addElementAttribute(Object array, int index, int value) {
        addFieldAttribute(array, "[" + index, value);
    }

    public static synchronized int[] getElementAttributes(Object array, int index) {
        return getFieldAttributes(array, "[" + index);
    }

    private static Map<String, int[]> attributesOf(Object object) {
        if (attributes == null) {
            attributes = new IdentityHashMap<>();
        }
        return attributes.computeIfAbsent(object, none -> new HashMap<>());
    }

    private static int[] both(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static int firstOf(int[] attributes) {
        return attributes.length == 0 ? 0 : attributes[0];
    }

    // Output

    public static void print(String text) {
        System.out.print(text);
    }

    public static void print(String text, int value) {
        System.out.print(text + " : " + value);
    }

    public static void print(String text, boolean value) {
        System.out.print(text + " : " + value);
    }

    public static void print(String... texts) {
        for (String text : texts) {
            System.out.print(text);
        }
    }

    public static void println(String text) {
        System.out.println(text);
    }

    public static void println() {
        System.out.println();
    }

    public static void threadPrint(String text) {
        System.out.print(Thread.currentThread().getName() + ": " + text);
    }

    public static void threadPrintln(String text) {
        System.out.println(Thread.currentThread().getName() + ": " + text);
    }

    /** Warnings and what is worse are shown, as in Java PathFinder unless it is told otherwise. */
    public static void log(String logger, int level, String message) {
        if (level <= WARNING) {
            System.err.println("[" + (level == SEVERE ? "SEVERE" : "WARNING") + "] " + message);
        }
    }

    public static void log(String logger, int level, String message, String argument) {
        log(logger, level, message, (Object) argument);
    }

    public static void log(String logger, int level, String format, Object... arguments) {
        if (level <= WARNING) {
            log(logger, level, String.format(format, arguments));
        }
    }

    public static void printPathOutput(String message) {
    }

    public static void printPathOutput(boolean condition, String message) {
    }
}
