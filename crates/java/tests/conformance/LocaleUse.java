import java.text.*;
import java.util.*;

/** Locales ROOT and ENGLISH: tags, number and message formats, choice formats, collation-free comparisons. */
public class LocaleUse {
    public static void main(String[] args) throws Exception {
        Locale[] all = {Locale.ROOT, Locale.ENGLISH, Locale.US, new Locale("de", "CH"), Locale.forLanguageTag("zh-Hant-TW"), new Locale("no", "NO", "NY"), new Locale.Builder().setLanguage("sr").setScript("Latn").build()};
        for (Locale l : all) System.out.println("[" + l + "] " + l.toLanguageTag() + " [" + l.getLanguage() + "," + l.getCountry() + "," + l.getVariant() + "," + l.getScript() + "]");
        System.out.println(Locale.ENGLISH.getDisplayLanguage(Locale.ENGLISH) + " " + Locale.US.getDisplayCountry(Locale.ENGLISH) + " " + Locale.US.getISO3Country() + " " + Locale.US.equals(new Locale("en", "US")) + " " + Locale.ROOT.getDisplayName(Locale.ENGLISH).isEmpty());
        for (Locale l : new Locale[] {Locale.ROOT, Locale.ENGLISH, Locale.US}) {
            System.out.println(NumberFormat.getInstance(l).format(1234567.891) + " " + NumberFormat.getIntegerInstance(l).format(2.5) + " " + NumberFormat.getPercentInstance(l).format(0.256) + " " + NumberFormat.getInstance(l).format(-0.0));
        }
        DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
        for (String pattern : new String[] {"0.00", "#,##0.###", "000", "0.###E0", "##0.0E0", "#%", "'#'0", "+0;(0)"}) {
            DecimalFormat f = new DecimalFormat(pattern, symbols);
            System.out.println(pattern + " " + f.format(1234.5678) + " " + f.format(-0.125) + " " + f.format(0) + " " + f.format(Double.NaN));
        }
        System.out.println(new DecimalFormat("#,##0.00", symbols).parse("1,234.50xyz") + " " + NumberFormat.getInstance(Locale.ENGLISH).parse("-12"));
        try {
            NumberFormat.getInstance(Locale.ROOT).parse("abc");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
        System.out.println(new MessageFormat("{1,number,#.#} of {0} '{quoted}' {2}", Locale.ENGLISH).format(new Object[] {"text", 3.14159, null}) + " " + MessageFormat.format("{0}{0}{5}", "x"));
        System.out.println(new ChoiceFormat("0#none|1#one|1<many").format(1) + " " + new MessageFormat("{0,choice,0#no files|1#a file|1<{0} files}", Locale.ENGLISH).format(new Object[] {7}));
        SimpleDateFormat date = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS Z EEE MMM", Locale.ENGLISH);
        date.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(date.format(new Date(1_000_000_000_000L)) + " " + new SimpleDateFormat("dd/MM/yy z", Locale.ROOT) {{
            setTimeZone(TimeZone.getTimeZone("GMT+2"));
        }}.parse("01/02/03 UTC").getTime());
        Calendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        c.clear();
        c.set(2024, Calendar.FEBRUARY, 29);
        c.add(Calendar.YEAR, 1);
        System.out.println(c.get(Calendar.DAY_OF_MONTH) + " " + c.getActualMaximum(Calendar.DAY_OF_MONTH) + " " + c.getTimeInMillis() + " " + c.get(Calendar.DAY_OF_WEEK));
        BreakIterator words = BreakIterator.getWordInstance(Locale.ENGLISH);
        words.setText("Hello, big world.");
        StringBuilder bounds = new StringBuilder();
        for (int i = words.first(); i != BreakIterator.DONE; i = words.next()) bounds.append(i).append(' ');
        System.out.println(bounds + Currency.getInstance("EUR").getCurrencyCode() + Currency.getInstance("JPY").getDefaultFractionDigits());
        System.out.println("TITLE".toLowerCase(Locale.forLanguageTag("tr")).codePointAt(1) + " " + "title".toUpperCase(Locale.ENGLISH) + " " + String.format(Locale.ENGLISH, "%,d", 1234567) + " " + List.of("b", "A", "a").stream().sorted(String.CASE_INSENSITIVE_ORDER).toList());
    }
}
