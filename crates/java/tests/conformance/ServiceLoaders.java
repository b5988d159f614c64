// cp: resources

import java.util.*;

/** ServiceLoader: providers named in META-INF/services, in order, lazily made, reloaded; a provider that is missing. */
public class ServiceLoaders {
    public interface Greeter {
        String greet(String name);
    }

    public interface Missing { }

    public interface Unprovided { }

    public static class Polite implements Greeter {
        public Polite() {
            System.out.println("making Polite");
        }

        @Override
        public String greet(String name) {
            return "Good day, " + name;
        }
    }

    public static class Rude implements Greeter {
        public Rude() {
            System.out.println("making Rude");
        }

        @Override
        public String greet(String name) {
            return "Oi, " + name;
        }
    }

    public static void main(String[] args) {
        ServiceLoader<Greeter> loader = ServiceLoader.load(Greeter.class);
        Iterator<Greeter> it = loader.iterator();
        System.out.println("lazy so far " + it.hasNext());
        System.out.println(it.next().greet("Ada"));
        System.out.println(it.next().greet("Bob") + " " + it.hasNext());
        Greeter first = loader.iterator().next();
        System.out.println("cached: " + (first == loader.findFirst().get()));
        loader.reload();
        System.out.println("reloaded: " + (first != loader.findFirst().get()));
        System.out.println(loader.stream().map(p -> p.type().getSimpleName()).toList());
        System.out.println(ServiceLoader.load(Unprovided.class).findFirst() + " " + ServiceLoader.load(Unprovided.class).iterator().hasNext());
        try {
            ServiceLoader.load(Missing.class).iterator().next();
        } catch (ServiceConfigurationError e) {
            System.out.println(e.getMessage());
        }
        try {
            it.next();
        } catch (ConcurrentModificationException e) {
            System.out.println("an iterator of before the reload");
        }
        System.out.println(loader);
    }
}
