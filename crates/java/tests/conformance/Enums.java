import java.util.*;
import java.util.function.IntBinaryOperator;

/** Enums: bodies of constants, fields, abstract methods, EnumMap and EnumSet, switches, valueOf, comparison. */
public class Enums {
    enum Op implements IntBinaryOperator {
        ADD("+") {
            @Override
            public int applyAsInt(int a, int b) {
                return a + b;
            }
        },
        MULTIPLY("*", 2) {
            @Override
            public int applyAsInt(int a, int b) {
                return a * b;
            }

            @Override
            String show() {
                return "times";
            }
        };

        private final String symbol;
        final int level;
        private static final Map<String, Op> BY_SYMBOL = new HashMap<>();

        static {
            for (Op op : values()) BY_SYMBOL.put(op.symbol, op);
        }

        Op(String symbol) {
            this(symbol, 1);
        }

        Op(String symbol, int level) {
            this.symbol = symbol;
            this.level = level;
        }

        String show() {
            return symbol;
        }

        static Op of(String symbol) {
            return Optional.ofNullable(BY_SYMBOL.get(symbol)).orElseThrow(() -> new NoSuchElementException(symbol));
        }
    }

    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }

    enum None { }

    static String kind(Day d) {
        switch (d) {
            case SAT:
            case SUN: return "weekend";
            case MON: return "start";
            default: return "week";
        }
    }

    public static void main(String[] args) {
        for (Op op : Op.values()) {
            System.out.println(op + " " + op.ordinal() + " " + op.show() + " " + op.level + " " + op.applyAsInt(6, 7) + " "
                    + op.getClass() + " " + op.getDeclaringClass());
        }
        System.out.println(Op.of("*") + " " + Op.valueOf("ADD") + " " + Enum.valueOf(Day.class, "TUE"));
        for (String bad : new String[] {"mon", ""}) {
            try {
                Day.valueOf(bad);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        EnumMap<Day, Integer> map = new EnumMap<>(Day.class);
        for (Day d : new Day[] {Day.SUN, Day.WED, Day.MON}) map.merge(d, d.ordinal(), Integer::sum);
        map.merge(Day.WED, 10, Integer::sum);
        System.out.println(map + " " + map.containsKey(Day.FRI) + " " + map.remove(Day.SUN) + map.keySet());
        EnumSet<Day> set = EnumSet.range(Day.TUE, Day.FRI);
        set.remove(Day.WED);
        System.out.println(set + " " + EnumSet.complementOf(set) + " " + EnumSet.noneOf(Day.class) + " " + EnumSet.allOf(Day.class).size()
                + " " + set.containsAll(EnumSet.of(Day.TUE, Day.THU)));
        StringBuilder kinds = new StringBuilder();
        for (Day d : Day.values()) kinds.append(kind(d)).append(' ');
        System.out.println(kinds);
        System.out.println(Day.MON.compareTo(Day.SUN) + " " + Day.MON.equals(Day.MON) + " " + None.values().length + " "
                + Arrays.toString(Day.class.getEnumConstants()) + " " + Day.class.isEnum() + Op.ADD.getClass().isEnum());
        Day[] copy = Day.values();
        copy[0] = null;
        System.out.println(Day.values()[0] + " " + Collections.max(List.of(Day.TUE, Day.SAT)));
        try {
            Day.class.getDeclaredConstructors()[0].setAccessible(true);
            Day.class.getDeclaredConstructors()[0].newInstance("X", 9);
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.out.println(e);
        }
        TreeMap<Day, String> sorted = new TreeMap<>(Comparator.reverseOrder());
        for (Day d : set) sorted.put(d, d.name().toLowerCase(Locale.ROOT));
        System.out.println(sorted);
    }
}
