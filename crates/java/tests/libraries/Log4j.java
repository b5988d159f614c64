import java.io.StringWriter;
import java.util.*;
import org.apache.log4j.*;
import org.apache.log4j.spi.*;

/** log4j 1.2: hierarchy, levels, appenders, layouts without times, filters, contexts, exceptions. */
public class Log4j {
    static class Collecting extends AppenderSkeleton {
        final List<String> events = new ArrayList<>();

        @Override
        protected void append(LoggingEvent e) {
            events.add(e.getLevel() + " " + e.getLoggerName() + " " + e.getRenderedMessage());
        }

        @Override
        public void close() {
            events.add("closed");
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    public static void main(String[] args) {
        BasicConfigurator.configure(new ConsoleAppender(new PatternLayout("%-5p [%t] %c{1} %x - %m%n")));
        Logger root = Logger.getRootLogger(), app = Logger.getLogger("org.example.App"), part = Logger.getLogger("org.example.App.part");
        app.info("to the console");
        app.debug(Arrays.asList(1, 2));
        System.out.println(root.getLevel() + " " + app.getLevel() + " " + app.getEffectiveLevel() + " " + part.getParent().getName() + " " + (Logger.getLogger("org.example.App") == app));
        app.setLevel(Level.WARN);
        part.info("not shown");
        part.warn("shown");
        NDC.push("context");
        MDC.put("user", "ada");
        part.error("nested");
        NDC.pop();
        StringWriter text = new StringWriter();
        WriterAppender writer = new WriterAppender(new PatternLayout("%p|%c|%m|%X{user}|%M|%L%n"), text);
        app.addAppender(writer);
        app.setAdditivity(false);
        part.fatal("written");
        part.error("failed", new IllegalStateException("logged"));
        String[] lines = text.toString().split("\\R");
        System.out.println(lines[0] + " / " + lines[1] + " / " + lines[2] + " / " + lines[3].trim());
        Collecting collecting = new Collecting();
        collecting.setThreshold(Level.ERROR);
        collecting.addFilter(new Filter() {
            @Override
            public int decide(LoggingEvent e) {
                return e.getRenderedMessage().contains("secret") ? DENY : NEUTRAL;
            }
        });
        app.removeAllAppenders();
        app.addAppender(collecting);
        app.warn("below the threshold");
        app.error("a secret");
        app.error("kept");
        part.log(Level.FATAL, "fatal too");
        System.out.println(collecting.events + " " + app.isDebugEnabled() + " " + app.isEnabledFor(Priority.ERROR) + " " + Level.toLevel("nonsense", Level.INFO) + " " + Level.ERROR.isGreaterOrEqual(Level.WARN));
        Properties p = new Properties();
        p.setProperty("log4j.rootLogger", "INFO, out");
        p.setProperty("log4j.appender.out", "org.apache.log4j.ConsoleAppender");
        p.setProperty("log4j.appender.out.layout", "org.apache.log4j.PatternLayout");
        p.setProperty("log4j.appender.out.layout.ConversionPattern", "configured %p %c: %m%n");
        p.setProperty("log4j.logger.quiet", "OFF");
        LogManager.resetConfiguration();
        PropertyConfigurator.configure(p);
        Logger.getLogger("loud").info("by properties");
        Logger.getLogger("quiet").fatal("nothing");
        Logger.getLogger("loud").debug("nothing");
        LogManager.shutdown();
        System.out.println(collecting.events.get(collecting.events.size() - 1));
    }
}
