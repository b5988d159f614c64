import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
import java.util.Locale;

/** java.time: dates, durations, periods, zones by offset, parsing, formatting, adjusting, leap years. */
public class JavaTime {
    static void attempt(java.util.function.Supplier<Object> s) {
        try {
            System.out.println(s.get());
        } catch (DateTimeException | ArithmeticException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d + " " + d.plusYears(1) + " " + d.minusMonths(1).plusDays(2) + " " + d.getDayOfWeek() + " " + d.getDayOfYear() + " " + d.isLeapYear()
                + " " + d.lengthOfMonth() + " " + d.toEpochDay() + " " + d.with(TemporalAdjusters.firstDayOfNextMonth()) + " " + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)));
        LocalTime t = LocalTime.of(23, 59, 30, 5_000_000);
        System.out.println(t + " " + t.plusSeconds(45) + " " + t.truncatedTo(ChronoUnit.MINUTES) + " " + t.toSecondOfDay() + " " + LocalTime.MIDNIGHT + " " + LocalTime.parse("07:08"));
        LocalDateTime dt = LocalDateTime.of(d, t);
        System.out.println(dt + " " + dt.plusMinutes(1) + " " + dt.toEpochSecond(ZoneOffset.UTC) + " " + dt.atOffset(ZoneOffset.ofHours(-5)) + " " + dt.isAfter(dt.minusNanos(1)));
        Duration dur = Duration.ofSeconds(3_723, 40_000_000);
        System.out.println(dur + " " + dur.toMinutes() + " " + dur.toMinutesPart() + " " + dur.negated() + " " + dur.multipliedBy(1000) + " " + dur.dividedBy(7) + " " + Duration.parse("PT-1.5S")
                + " " + Duration.between(dt, dt.plusDays(3).minusHours(5)) + " " + Duration.ZERO);
        Period p = Period.between(LocalDate.of(2020, 1, 31), d);
        System.out.println(p + " " + p.toTotalMonths() + " " + LocalDate.of(2020, 1, 31).plus(p) + " " + Period.parse("P1Y2M3W4D") + " " + Period.of(0, 14, 0).normalized());
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(1970, 1, 1), d) + " " + ChronoUnit.WEEKS.between(LocalDate.EPOCH, d) + " " + d.until(LocalDate.of(2030, 1, 1)));
        Instant i = Instant.ofEpochMilli(1_700_000_000_123L);
        System.out.println(i + " " + i.plus(1, ChronoUnit.DAYS) + " " + i.getNano() + " " + Instant.parse("2001-09-09T01:46:40Z").getEpochSecond() + " " + Instant.EPOCH + " " + i.atZone(ZoneOffset.UTC));
        ZonedDateTime z = ZonedDateTime.of(dt, ZoneId.of("UTC"));
        System.out.println(z + " " + z.withZoneSameInstant(ZoneOffset.of("+05:30")) + " " + OffsetDateTime.parse("2024-01-01T00:00:00+02:00").toInstant());
        System.out.println(Year.of(1900).isLeap() + " " + YearMonth.of(2023, 2).atEndOfMonth() + " " + MonthDay.of(2, 29).atYear(2023) + " " + DayOfWeek.SUNDAY.plus(3) + " " + Month.JANUARY.minus(1));
        for (String pattern : new String[] {"yyyy/MM/dd HH:mm:ss.SSS", "d MMM uuuu, EEE", "EEEE, MMMM d", "h:mm a", "'Week' w, D", "QQQ yy"}) {
            System.out.println(dt.format(DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH)) + " | " + dt.format(DateTimeFormatter.ofPattern(pattern, Locale.ROOT)));
        }
        System.out.println(DateTimeFormatter.ISO_WEEK_DATE.format(d) + " " + DateTimeFormatter.BASIC_ISO_DATE.format(d) + " " + DateTimeFormatter.RFC_1123_DATE_TIME.format(z) + " "
                + d.get(IsoFields.QUARTER_OF_YEAR) + " " + d.get(ChronoField.ALIGNED_WEEK_OF_MONTH));
        attempt(() -> LocalDate.parse("05 Mar 2021", DateTimeFormatter.ofPattern("dd MMM yyyy", Locale.ENGLISH)));
        attempt(() -> LocalDate.of(2023, 2, 29));
        attempt(() -> LocalTime.of(24, 0));
        attempt(() -> LocalDate.parse("2023-02-30"));
        attempt(() -> LocalDate.parse("yesterday"));
        attempt(() -> d.get(ChronoField.HOUR_OF_DAY));
        attempt(() -> LocalDate.MAX.plusDays(1));
        attempt(() -> Duration.ofSeconds(Long.MAX_VALUE).plusSeconds(1));
        attempt(() -> ZoneOffset.ofHours(19));
        attempt(() -> new DateTimeFormatterBuilder().appendPattern("HH:mm").parseDefaulting(ChronoField.SECOND_OF_MINUTE, 7).toFormatter(Locale.ROOT).parse("10:11", LocalTime::from));
        Clock fixed = Clock.fixed(i, ZoneOffset.UTC);
        System.out.println(LocalDate.now(fixed) + " " + Clock.offset(fixed, Duration.ofHours(1)).instant() + " " + LocalDateTime.now(fixed).getHour());
        System.out.println(java.time.chrono.JapaneseDate.of(2024, 5, 1).get(ChronoField.YEAR_OF_ERA) + " " + java.time.chrono.HijrahChronology.INSTANCE.getId());
    }
}
