// props: -Djava.util.logging.SimpleFormatter.format=%4$s:_%5$s%6$s%n

import java.util.*;
import java.util.logging.*;

/** java.util.logging: levels, parents, handlers, filters, formatters, exceptions, the console on standard error. */
public class LoggingToConsole {
    static class Collecting extends Handler {
        final List<String> lines = new ArrayList<>();

        @Override
        public void publish(LogRecord r) {
            if (isLoggable(r)) lines.add(r.getLevel() + " " + r.getLoggerName() + " " + new SimpleFormatter().formatMessage(r) + (r.getThrown() == null ? "" : " " + r.getThrown()));
        }

        @Override
        public void flush() { }

        @Override
        public void close() {
            lines.add("closed");
        }
    }

    public static void main(String[] args) {
        Logger root = Logger.getLogger("");
        Logger app = Logger.getLogger("app"), part = Logger.getLogger("app.part");
        System.out.println(root.getLevel() + " " + app.getLevel() + " " + part.getParent().getName() + " " + (Logger.getLogger("app") == app) + " " + root.getHandlers().length + " " + root.getHandlers()[0].getClass().getSimpleName());
        app.info("to the console");
        app.fine("too fine");
        part.log(Level.WARNING, "with {0} and {1}", new Object[] {"a", 2});
        part.log(Level.SEVERE, "with an exception", new IllegalStateException("logged") {
            @Override
            public StackTraceElement[] getStackTrace() {
                return new StackTraceElement[0];
            }
        });
        Collecting collecting = new Collecting();
        app.addHandler(collecting);
        app.setUseParentHandlers(false);
        app.setLevel(Level.FINE);
        part.fine("fine now");
        part.finer("still too fine");
        app.log(Level.CONFIG, () -> "supplied");
        part.setLevel(Level.OFF);
        part.severe("silenced");
        part.setLevel(null);
        collecting.setLevel(Level.WARNING);
        app.info("below the handler's level");
        app.warning("at the handler's level");
        collecting.setLevel(Level.ALL);
        app.setFilter(r -> !r.getMessage().contains("secret"));
        app.info("a secret");
        app.info("public");
        app.log(Level.INFO, "thrown", new java.io.IOException("io"));
        app.entering("Class", "method", "argument");
        app.setLevel(Level.FINER);
        app.entering("Class", "method", "argument");
        app.exiting("Class", "method");
        app.log(Level.parse("850"), "a level between");
        collecting.lines.forEach(System.out::println);
        System.out.println(app.isLoggable(Level.FINEST) + " " + part.isLoggable(Level.FINER) + " " + Level.parse("WARNING").intValue() + " " + collecting.isLoggable(new LogRecord(Level.INFO, "x")) + " " + Logger.getGlobal().getName() + " " + Logger.getAnonymousLogger().getName());
        StreamHandler stream = new StreamHandler(System.out, new java.util.logging.Formatter() {
            @Override
            public String format(LogRecord r) {
                return "<" + r.getLevel().getName() + "|" + formatMessage(r) + "|" + r.getSourceMethodName() + ">\n";
            }
        });
        Logger other = Logger.getLogger("other");
        other.setUseParentHandlers(false);
        other.addHandler(stream);
        other.info("streamed");
        other.warning("again");
        stream.flush();
        try {
            Level.parse("NONSENSE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        collecting.close();
        System.out.println(collecting.lines.get(collecting.lines.size() - 1));
    }
}
