// cp: resources

import java.io.*;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Resources on the class path: streams, URLs, bundles, absent ones, relative and absolute names. */
public class Resources {
    static String read(InputStream in) throws IOException {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static void main(String[] args) throws Exception {
        String text = read(Resources.class.getResourceAsStream("/data/lines.txt"));
        System.out.println(text.length() + " " + text.lines().count() + " " + text.lines().findFirst().get() + " " + text.hashCode());
        System.out.println(read(Resources.class.getResourceAsStream("data/lines.txt")).equals(text) + " " + Resources.class.getResourceAsStream("absent.txt") + " "
                + Resources.class.getResource("/absent.txt"));
        ClassLoader loader = Resources.class.getClassLoader();
        System.out.println(read(loader.getResourceAsStream("data/lines.txt")).equals(text) + " " + loader.getResourceAsStream("/data/lines.txt") + " " + (loader == ClassLoader.getSystemClassLoader()) + " "
                + (Thread.currentThread().getContextClassLoader() == loader));
        URL url = loader.getResource("data/lines.txt");
        System.out.println(url.getProtocol() + " " + url.getPath().endsWith("/resources/data/lines.txt") + " " + read(url.openStream()).equals(text));
        int found = 0;
        for (Enumeration<URL> e = loader.getResources("data/sample.properties"); e.hasMoreElements(); e.nextElement()) found++;
        System.out.println(found + " " + loader.getResources("nothing").hasMoreElements());
        try (InputStream self = Resources.class.getResourceAsStream("Resources.class")) {
            DataInputStream d = new DataInputStream(self);
            System.out.println(Integer.toHexString(d.readInt()) + " " + d.readUnsignedShort() + " " + d.readUnsignedShort());
        }
        try (InputStream object = Object.class.getResourceAsStream("Object.class")) {
            System.out.println(Integer.toHexString(new DataInputStream(object).readInt()));
        }
        ResourceBundle bundle = ResourceBundle.getBundle("Messages", Locale.ENGLISH);
        System.out.println(bundle.getString("greeting") + " " + bundle.getString("only") + " " + bundle.getLocale() + " " + bundle.containsKey("none"));
        for (String key : new String[] {"missing", null}) {
            try {
                bundle.getString(key);
            } catch (MissingResourceException e) {
                System.out.println(e.getMessage());
            } catch (NullPointerException e) {
                System.out.println("no key");
            }
        }
        try {
            ResourceBundle.getBundle("NoSuchBundle", Locale.ROOT);
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
    }
}
