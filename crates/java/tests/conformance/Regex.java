import java.util.*;
import java.util.regex.*;
import java.util.stream.Collectors;

/** Regular expressions: groups, quantifiers, lookaround, flags, replacement, splitting, errors. */
public class Regex {
    static void all(String regex, String input, int flags) {
        Matcher m = Pattern.compile(regex, flags).matcher(input);
        StringBuilder out = new StringBuilder(regex).append(": ");
        while (m.find()) {
            out.append(m.start()).append('-').append(m.end()).append('[').append(m.group()).append(']');
            for (int g = 1; g <= m.groupCount(); g++) out.append('{').append(m.group(g)).append('}');
            out.append(' ');
        }
        System.out.println(out);
    }

    public static void main(String[] args) {
        all("a*?b", "aaab ab b", 0);
        all("(a+)(b|c)?", "aab aac a", 0);
        all("a{2,3}+", "aaaaaaa", 0);
        all("(?<year>\\d{4})-(?<month>\\d\\d)", "on 2024-05 and 1999-12", 0);
        all("(\\w)\\1", "aabbcdd", 0);
        all("(?i)hello", "Hello HELLO hello", 0);
        all("^\\w+$", "one\ntwo\nthree four", Pattern.MULTILINE);
        all("a.c", "a\nc abc", Pattern.DOTALL);
        all("\\b\\w{3}\\b", "the quick fox ran off", 0);
        all("(?<=\\$)\\d+(?!\\d|%)", "$100 $200% 300", 0);
        all("[a-z&&[^aeiou]]+", "education", 0);
        all("\\p{Lu}\\p{Ll}+|\\p{Punct}", "Big, Small; ünïcode É", 0);
        all("x # comment\n y", "xy x y", Pattern.COMMENTS);
        all("(?:a|ab)(?:c|bcd)(d*)", "abcd", 0);
        all("\\Qa.b\\E|[.]", "a.b axb .", 0);
        all("(a(b(c)?)?)?d", "abcd abd ad d", 0);
        all("É", "é É", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        Matcher m = Pattern.compile("(\\w+)@(\\w+)\\.com").matcher("joe@site.com, ann@other.com");
        System.out.println(m.replaceAll("$2:$1") + " " + m.replaceFirst("\\$\\\\") + " " + m.matches() + m.lookingAt() + " " + m.groupCount());
        System.out.println(Pattern.compile("\\d+").matcher("a1b22c333").replaceAll(r -> "<" + r.group().length() + ">"));
        StringBuilder sb = new StringBuilder();
        Matcher n = Pattern.compile("[aeiou]").matcher("education");
        while (n.find()) n.appendReplacement(sb, n.group().toUpperCase(Locale.ROOT));
        System.out.println(n.appendTail(sb));
        System.out.println(Pattern.compile("[,;]\\s*").splitAsStream("a, b;c,d").collect(Collectors.toList()) + " "
                + Arrays.toString(Pattern.compile("(?=[A-Z])").split("camelCaseString")));
        System.out.println(Pattern.compile("a").matcher("banana").results().map(MatchResult::start).toList() + " " + Pattern.compile("^a").asPredicate().test("abc")
                + Pattern.compile("a").asMatchPredicate().test("abc"));
        Matcher region = Pattern.compile("^b").matcher("abab").region(1, 3);
        System.out.println(region.find() + " " + region.hitEnd() + " " + region.useAnchoringBounds(false).reset().find() + " " + Pattern.quote("a\\Eb"));
        Matcher named = Pattern.compile("(?<k>\\w+)=(?<v>\\w+)").matcher("key=value");
        System.out.println(named.matches() + named.group("k") + named.start("v") + " " + named.toMatchResult().end(2));
        for (String bad : new String[] {"(a", "[a", "*a", "a{2,1}", "\\k<x>", "(?<1>a)", "a\\"}) {
            try {
                Pattern.compile(bad);
            } catch (PatternSyntaxException e) {
                System.out.println(e.getDescription() + " at " + e.getIndex() + " in " + e.getPattern());
            }
        }
        try {
            m.reset().group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("aaaaaaaaaaaaaaaaaaaaaaab".matches("(a+)+b") + " " + "x".repeat(500).matches("(x|y)*"));
    }
}
