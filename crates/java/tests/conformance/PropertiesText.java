// cp: resources

import java.io.*;
import java.util.*;

/** java.util.Properties: parsing of the text form, defaults, listing, storing in memory. */
public class PropertiesText {
    static String escape(String s) {
        StringBuilder out = new StringBuilder();
        for (char c : s.toCharArray()) out.append(c < 127 ? "" + c : String.format("\\u%04x", (int) c));
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        try (InputStream in = PropertiesText.class.getResourceAsStream("data/sample.properties")) {
            p.load(in);
        }
        for (String key : new TreeSet<>(p.stringPropertyNames())) System.out.println("[" + key + "] = [" + escape(p.getProperty(key)) + "]");
        Properties text = new Properties();
        text.load(new StringReader("a=1\r\nb : 2\n  c   3\nd\n#e=5\n\n=novalue\nf=a\\tb\\\n   continued\ng\\=h=i=j\ntrailing = space  \na=again"));
        System.out.println(new TreeMap<>(text).toString().replace("\t", "<tab>"));
        Properties child = new Properties(text);
        child.setProperty("a", "own");
        System.out.println(child.getProperty("a") + " " + child.getProperty("b") + " " + child.getProperty("none") + " " + child.getProperty("none", "default") + " " + child.size() + " " + child.stringPropertyNames().size() + " " + child.get("b") + " " + child.containsKey("b"));
        Properties one = new Properties();
        one.setProperty("key with = : #", " leading, \u20ac and \n newline");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        one.store(bytes, "comment");
        String[] lines = bytes.toString("ISO-8859-1").split("\\R");
        System.out.println(lines.length + " " + lines[0] + " " + lines[2]);
        Properties back = new Properties();
        back.load(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(back.equals(one));
        StringWriter listed = new StringWriter();
        Properties longValue = new Properties();
        longValue.setProperty("long", "x".repeat(60));
        longValue.list(new PrintWriter(listed, true));
        System.out.println(listed.toString().trim());
        try {
            new Properties().load(new StringReader("bad=\\u12"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            p.setProperty("x", null);
        } catch (NullPointerException e) {
            System.out.println("no null values");
        }
        p.clear();
        p.put("not a string", 5);
        System.out.println(p.getProperty("not a string") + " " + p.stringPropertyNames() + " " + p);
    }
}
